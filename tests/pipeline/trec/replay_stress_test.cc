// Replays in which feedback comes late, seldom or not at all: nothing is taught before it is judged, and what
// answers no verdict is no reply to one.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <regex>
#include <sstream>
#include <string>
#include <tuple>
#include <vector>

#include "tests/pipeline/messages.h"
#include "tests/pipeline/program.h"
#include "tests/pipeline/trec/small_corpus.h"

namespace thresher::pipeline {
namespace {

class ReplayStress : public testing::Test {
 protected:
  std::string WriteCorpus(int pairs) const { return WriteSmallCorpus(directory_, pairs); }
  static std::string Replay(const std::string& index, std::vector<std::string> flags) {
    flags.insert(flags.begin(), {"replay", index});
    const Ran ran = RunThresher(flags);
    EXPECT_EQ(ran.exit_code, 0) << ran.err;
    return ran.out;
  }

  TestDirectory directory_;
};

TEST_F(ReplayStress, NothingIsKnownBeforeTheFirstFeedback) {
  std::istringstream results(Replay(WriteCorpus(20), {"--shuffle", "5", "--delay", "6", "--out", "-"}));
  std::string line;
  for (int i = 0; i < 7; ++i) {
    std::getline(results, line);
    EXPECT_THAT(line, testing::HasSubstr("probability=0.5")) << i;
  }
  std::getline(results, line);
  EXPECT_THAT(line, testing::Not(testing::HasSubstr("probability=0.5")));
}

TEST_F(ReplayStress, WhatWasNeverJudgedIsTaughtAsWithoutFeedback) {
  WriteCorpus(40);
  std::string archive;
  for (int i = 0; i < 30; ++i) archive += fmt::format("SPAM ../data/s{0}\nHAM ../data/h{0}\n", i);
  for (int i = 30; i < 40; ++i) archive += fmt::format("Spam ../data/s{0}\nHam ../data/h{0}\n", i);
  const std::string path = directory_.Write("full/archive", archive);
  const std::string all = Replay(path, {"--out", "-"});
  for (const char* feedback : {"errors", "unsure"}) {
    EXPECT_EQ(Replay(path, {"--out", "-", "--feedback", feedback}), all);
    EXPECT_EQ(
        Replay(directory_ / "full/index", {"--train-first", "60", "--out", "-", "--feedback", feedback}),
        all);
  }
}

TEST_F(ReplayStress, AnIndexDelaysFeedbackAsTheOptionDoes) {
  const std::string index = WriteCorpus(60);
  constexpr int kDelay = 6;
  std::string delayed;
  for (int i = 0; i < 120 + kDelay; ++i) {
    if (i < 120) delayed += fmt::format("{} ../data/{}{}\n", i % 2 == 0 ? "Spam" : "Ham", "sh"[i % 2], i / 2);
    if (const int late = i - kDelay; late >= 0)
      delayed += fmt::format("{} ../data/{}{}\n", late % 2 == 0 ? "SPAM" : "HAM", "sh"[late % 2], late / 2);
  }
  const std::string by_index = directory_.Write("full/delayed", delayed);
  const std::string delay = std::to_string(kDelay);
  for (const char* feedback : {"all", "errors", "unsure"}) {
    EXPECT_EQ(Replay(by_index, {"--feedback", feedback, "--out", "-"}),
              Replay(index, {"--feedback", feedback, "--delay", delay, "--out", "-"}));
    const auto json = nlohmann::json::parse(Replay(by_index, {"--feedback", feedback, "--json"}));
    EXPECT_EQ(json.at("taught") == 120, feedback == std::string("all")) << json.at("taught");
    const std::vector<std::string> stress = {"--flip", "0.2", "--share",    "0.6",
                                             "--out",  "-",   "--feedback", feedback};
    std::vector<std::string> late = stress;
    late.insert(late.end(), {"--delay", delay});
    EXPECT_EQ(Replay(by_index, stress), Replay(index, late));
    EXPECT_NE(Replay(by_index, stress), Replay(by_index, {"--feedback", feedback, "--out", "-"}));
  }
}

// The report would name an option that did nothing.
TEST_F(ReplayStress, WhatNothingInTheIndexAnswersToIsRefused) {
  WriteCorpus(1);
  const std::string judged = directory_.Write("full/judged", "Spam ../data/s0\nHam ../data/h0\n");
  const std::string taught = directory_.Write("full/taught", "SPAM ../data/s0\nHAM ../data/h0\n");
  const std::string late = directory_.Write("full/late", "Spam ../data/s0\nSPAM ../data/s0\n");
  for (const auto& [index, flag, value] :
       {std::tuple(judged, "--flip", "0.1"), std::tuple(judged, "--share", "0.1"),
        std::tuple(taught, "--flip", "0.1"), std::tuple(judged, "--delay", "1"),
        std::tuple(late, "--delay", "1")}) {
    const Ran ran = RunThresher({"replay", index, flag, value});
    EXPECT_EQ(ran.exit_code, 64);
    EXPECT_EQ(ran.out, "");
    EXPECT_THAT(ran.err, testing::StartsWith(fmt::format("thresher: {}: {}: no ", flag, index)));
  }
}

TEST_F(ReplayStress, AllThatIsToBeTrainedFirstIsHoweverLateItsFeedback) {
  const std::string index = WriteCorpus(20);
  const std::string expected = Replay(index, {"--train-first", "30", "--out", "-"});
  EXPECT_EQ(std::count(expected.begin(), expected.end(), '\n'), 10);
  for (const char* first : {"30", "0.75"}) {
    EXPECT_EQ(Replay(index, {"--train-first", first, "--delay", "7", "--out", "-"}), expected);
  }
}

// Late feedback reads a message once more.
TEST_F(ReplayStress, FeaturesPerMessageDoNotDependOnTheDelay) {
  const std::string index = WriteCorpus(20);
  const auto features = [&](const std::vector<std::string>& flags) {
    std::smatch match;
    const std::string report = Replay(index, flags);
    EXPECT_TRUE(std::regex_search(report, match, std::regex("([0-9]+) features per message"))) << report;
    return match[1].str();
  };
  const std::string expected = features({});
  EXPECT_NE(expected, "0");
  EXPECT_EQ(features({"--delay", "4"}), expected);
  EXPECT_EQ(features({"--folds", "4"}), expected);
}

}  // namespace
}  // namespace thresher::pipeline
