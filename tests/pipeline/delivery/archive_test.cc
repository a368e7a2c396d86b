// `learn` with archives of both classes: together, one after the other, and what is said while one is
// missing.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <utility>
#include <vector>

#include "pipeline/error.h"
#include "tests/pipeline/delivery/teach_fixture.h"

namespace thresher::pipeline {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

class ArchiveTest : public TeachTest {};

// Two folders with `ham` and `spam` messages.
void WriteMail(const TestDirectory& directory, int ham, int spam) {
  for (int i = 0; i < ham; ++i) directory.Write("ham/" + std::to_string(100 + i), HamMessage(i));
  for (int i = 0; i < spam; ++i) directory.Write("spam/" + std::to_string(100 + i), SpamMessage(i));
}

TEST_F(ArchiveTest, BothClassesAreTaughtInProportion) {
  WriteMail(directory_, 12, 3);
  const Ran ran = Thresher({"learn", "--spam", directory_ / "spam", "--ham", directory_ / "ham"});
  EXPECT_EQ(ran.exit_code, 0) << ran.err;
  EXPECT_EQ(ran.out,
            "ham: 12 learned, 0 corrected, 0 known already\n"
            "spam: 3 learned, 0 corrected, 0 known already\n"
            "every verdict is Unsure until 7 more spam messages are taught\n");
  EXPECT_EQ(Labels(), "hhhhshhhhshhhhs");
}

TEST_F(ArchiveTest, AClassMayHaveSeveralPaths) {
  WriteMail(directory_, 4, 2);
  directory_.Write("box", InMailbox(SpamMessage(5)) + InMailbox(SpamMessage(6)));
  const Ran ran = Thresher({"learn", "--spam", directory_ / "spam/100", directory_ / "box", "--ham",
                            directory_ / "ham/100", directory_ / "ham/101"});
  EXPECT_EQ(ran.exit_code, 0) << ran.err;
  EXPECT_EQ(Stats().at("spam"), 3);
  EXPECT_EQ(Stats().at("ham"), 2);
}

TEST_F(ArchiveTest, PathsMayStandBeforeTheirOnlyClass) {
  WriteMail(directory_, 2, 2);
  EXPECT_THAT(Thresher({"learn", directory_ / "spam", "--spam"}).out, HasSubstr("2 learned"));
  EXPECT_THAT(Thresher({"learn", directory_ / "ham/100", "--ham", directory_ / "ham/101"}).out,
              HasSubstr("2 learned"));
}

TEST_F(ArchiveTest, OfBothClassesEachPathHasItsOwn) {
  WriteMail(directory_, 1, 1);
  const std::string ham = directory_ / "ham";
  const std::string spam = directory_ / "spam";
  for (const std::vector<std::string>& flags : {std::vector<std::string>{ham, "--spam", spam, "--ham", ham},
                                                {"--spam", spam, "--ham"},
                                                {"--spam", "-", "--ham", ham},
                                                {"--spam", "/dev/null", "--ham", ham},
                                                {"--spam", ham, "--ham", ham},
                                                {}}) {
    std::vector<std::string> arguments = {"learn"};
    arguments.insert(arguments.end(), flags.begin(), flags.end());
    const Ran ran = Thresher(arguments, SpamMessage(3));
    EXPECT_EQ(ran.exit_code, 64) << ran.out;
    EXPECT_THAT(ran.err, testing::AnyOf(HasSubstr("--spam"), HasSubstr("--ham")));
  }
  EXPECT_FALSE(std::filesystem::exists(directory_ / "store"));
}

// One class after the other, of different sizes: those that wait have their turns in proportion.
TEST_F(ArchiveTest, ClassByClassIsNearlyAsInTurn) {
  WriteMail(directory_, 60, 15);
  Thresher({"learn", "--ham", directory_ / "ham"});
  Thresher({"learn", "--spam", directory_ / "spam"});
  const double spam = Margin(SpamMessage(200));
  const double ham = Margin(HamMessage(200));
  std::filesystem::remove_all(directory_ / "store");
  Thresher({"learn", "--ham", directory_ / "ham", "--spam", directory_ / "spam"});
  EXPECT_NEAR(Margin(SpamMessage(200)), spam, std::abs(spam) / 2);
  EXPECT_NEAR(Margin(HamMessage(200)), ham, std::abs(ham) / 2);
}

TEST_F(ArchiveTest, WhatIsNeededIsSaidEverywhere) {
  WriteMail(directory_, 0, 12);
  const std::string needed = "every verdict is Unsure until 10 more ham messages are taught\n";
  EXPECT_THAT(Thresher({"learn", "--spam", directory_ / "spam"}).out, testing::EndsWith(needed));
  EXPECT_THAT(Thresher({"stats"}).out, HasSubstr("0 ham, 12 spam; " + needed));
  EXPECT_EQ(Stats().at("needed").at("ham"), 10);
  EXPECT_EQ(Stats().at("needed").at("spam"), 0);
  EXPECT_THAT(Thresher({"explain"}, HamMessage(1)).out, HasSubstr("\n" + needed));
  EXPECT_EQ(nlohmann::json::parse(Thresher({"explain", "--json"}, HamMessage(1)).out).at("needed").at("ham"),
            10);
  EXPECT_THAT(Thresher({"filter"}, HamMessage(1)).out, HasSubstr("margin=0, needs-ham=10, key="));
  Thresher({"learn", "--ham"}, Mailbox(10, HamMessage));
  EXPECT_THAT(Thresher({"stats"}).out, Not(HasSubstr("until")));
  EXPECT_THAT(Thresher({"filter"}, HamMessage(1)).out, Not(HasSubstr("needs-")));
}

// Its probability is ½, which may lie beyond a threshold.
TEST_F(ArchiveTest, AModelThatCanTellNothingIsUnsureWhateverTheThresholds) {
  WriteMail(directory_, 0, 12);
  Thresher({"learn", "--spam", directory_ / "spam"});
  for (const auto& [spam, ham] : {std::pair("0.5", "0.1"), {"0.2", "0.2"}, {"0.9", "0.5"}}) {
    const auto ask = [&, spam = spam, ham = ham](std::vector<std::string> words) {
      words.insert(words.end(), {"--set", std::string("thresholds.spam=") + spam, "--set",
                                 std::string("thresholds.ham=") + ham});
      return Thresher(words, HamMessage(1)).out;
    };
    EXPECT_THAT(ask({"classify"}), StartsWith("Unsure")) << spam;
    EXPECT_THAT(ask({"filter"}), StartsWith("X-Thresher: Unsure, probability=0.500000")) << spam;
    EXPECT_THAT(ask({"explain", "--json"}), HasSubstr(R"("verdict": "Unsure")")) << spam;
  }
}

TEST_F(ArchiveTest, WhatWasCorrectedIsNoSampleOfItsFirstClass) {
  for (int i = 0; i < 12; ++i) directory_.Write("wrong/" + std::to_string(i), SpamMessage(i));
  for (int i = 12; i < 60; ++i) directory_.Write("spam/" + std::to_string(i), SpamMessage(i));
  Thresher({"learn", "--ham", directory_ / "wrong"});
  EXPECT_THAT(Thresher({"learn", "--spam", directory_ / "wrong"}).out, HasSubstr("12 corrected"));
  const std::string needed = "every verdict is Unsure until 10 more ham messages are taught\n";
  EXPECT_THAT(Thresher({"learn", "--spam", directory_ / "spam"}).out, HasSubstr(needed));
  const auto stats = [&] { return Thresher({"stats"}).out; };
  EXPECT_THAT(stats(), HasSubstr("12 ham, 60 spam; 12 of the ham were corrected to spam; " + needed));
  EXPECT_THAT(Thresher({"stats", "--json"}).out,
              AllOf(HasSubstr(R"("ham_corrected": 12,)"), HasSubstr(R"("spam_corrected": 0,)")));
  EXPECT_THAT(stats(), HasSubstr("0 ham, 48 spam: learned with examples of the other class"));
  EXPECT_THAT(Thresher({"classify"}, HamMessage(3)).out, StartsWith("Unsure"));
  const auto globals = [](const std::string& exported) {
    const size_t begin = exported.find("\"globals_hex\":");
    return exported.substr(begin, exported.find('\n', begin) - begin);
  };
  const std::string exported = Thresher({"export"}).out;
  EXPECT_EQ(Thresher({"rebuild"}).exit_code, 0);
  EXPECT_EQ(globals(Thresher({"export"}).out), globals(exported));
  const std::string file = directory_.Write("export", exported);
  EXPECT_EQ(RunThresher({"import", file, "--store", directory_ / "other"}).exit_code, 0);
  EXPECT_EQ(RunThresher({"export", "--store", directory_ / "other"}).out, exported);
  EXPECT_EQ(Thresher({"check"}).exit_code, 0);
}

}  // namespace
}  // namespace thresher::pipeline
