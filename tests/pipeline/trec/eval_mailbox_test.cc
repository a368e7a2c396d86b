// eval --header: verdicts that filters left in mail, judged by the folder it lies in.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "pipeline/error.h"
#include "tests/pipeline/messages.h"
#include "tests/pipeline/program.h"

namespace thresher::pipeline {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

// A Maildir in which bogofilter and thresher left headers: bogofilter missed one of three spam, and one ham
// came before thresher was installed.
class Mailbox : public testing::Test {
 protected:
  Mailbox() {
    Write(".Junk/cur/1", "X-Bogosity: Spam, tests=bogofilter, spamicity=1.000000, version=1.2.5\n",
          "X-Thresher: Spam, probability=0.99, margin=5, key=1, version=0.1.0\n", SpamMessage(1));
    Write(".Junk/cur/2", "X-Bogosity: Unsure, tests=bogofilter,\n spamicity=0.520000, version=1.2.5\n",
          "x-thresher: Spam, probability=0.98, margin=4, key=2, version=0.1.0\n", SpamMessage(2));
    Write(".Junk/cur/3", "X-Bogosity: Spam, tests=bogofilter, spamicity=0.990000, version=1.2.5\n",
          "X-Thresher: Spam, probability=0.99, margin=5, key=3, version=0.1.0\n", SpamMessage(3));
    Write("cur/4", "X-Bogosity: Ham, tests=bogofilter, spamicity=0.000000, version=1.2.5\n",
          "X-Thresher: Ham, probability=0.01, margin=-5, key=4, version=0.1.0\n", HamMessage(4));
    Write("cur/5", "X-Bogosity: Ham, tests=bogofilter, spamicity=0.010000, version=1.2.5\n", "",
          HamMessage(5));
    Write("cur/6", "X-Bogosity: Ham, tests=bogofilter, spamicity=0.010000, version=1.2.5\n",
          "X-Thresher: Error, the store is damaged, version=0.1.0\n", HamMessage(6));
    std::filesystem::create_directories(folder_.path() / "new");
    std::filesystem::create_directories(folder_.path() / ".Junk/new");
  }

  void Write(std::string_view name, const std::string& bogosity, const std::string& thresher,
             const std::string& message) const {
    folder_.Write(name, thresher + bogosity + message);
  }
  std::vector<std::string> Words(std::vector<std::string> more) const {
    std::vector<std::string> words = {"eval", "--spam", folder_ / ".Junk", "--ham", folder_.path().string()};
    words.insert(words.end(), more.begin(), more.end());
    return words;
  }

  TestDirectory folder_;
};

TEST_F(Mailbox, HasNoOrderOfTime) {
  EXPECT_EQ(RunThresher(Words({"--header", "X-Bogosity", "--ties", "trec"})).exit_code, kUsage);
  EXPECT_EQ(RunThresher(Words({"--header", "X-Bogosity", "--curve", "2"})).exit_code, kUsage);
}

TEST_F(Mailbox, OneFilterIsJudgedByWhereTheMailLies) {
  const Ran ran = RunThresher(Words({"--header", "X-Bogosity", "--json"}));
  ASSERT_EQ(ran.exit_code, 0) << ran.err;
  EXPECT_EQ(ran.err, "");
  const auto json = nlohmann::json::parse(ran.out);
  EXPECT_EQ(json.at("results"), "X-Bogosity");
  EXPECT_EQ(json.at("messages"), 6);
  EXPECT_EQ(json.at("roc_area_above_percent").at("value"), 0);
  EXPECT_THAT(RunThresher(Words({"--header", "X-Bogosity"})).out,
              AllOf(HasSubstr("\n6 messages"), HasSubstr("33.33")));
}

TEST_F(Mailbox, TwoFiltersAreComparedOnTheMailThatBothJudged) {
  const Ran ran = RunThresher(Words({"--header", "X-Bogosity", "--header", "X-Thresher", "--disagreements"}));
  ASSERT_EQ(ran.exit_code, 0) << ran.err;
  EXPECT_THAT(ran.out, AllOf(HasSubstr("\n4 messages in both"), HasSubstr(".Junk/cur/2")));
  EXPECT_THAT(ran.err, AllOf(HasSubstr("X-Thresher: left out: 1 message without it"),
                             HasSubstr("X-Thresher: left out: 1 message in which it says neither")));
}

// As `learn` takes them.
TEST_F(Mailbox, AFolderOfTheOtherClassIsLeftOutOfTheOneAroundIt) {
  Write("Junk/cur/7", "X-Bogosity: Spam, tests=bogofilter, spamicity=0.990000, version=1.2.5\n", "",
        SpamMessage(7));
  const auto eval = [&](const std::string& spam, const std::string& ham) {
    return RunThresher({"eval", "--spam", spam, "--ham", ham, "--header", "X-Bogosity", "--json"});
  };
  const Ran within = eval(folder_ / "Junk", folder_.path().string());
  ASSERT_EQ(within.exit_code, 0) << within.err;
  const auto json = nlohmann::json::parse(within.out);
  EXPECT_EQ(json.at("messages"), 4);
  EXPECT_EQ(json.at("roc_area_above_percent").at("value"), 0);
  const Ran same = eval(folder_ / "Junk/", folder_ / ".Junk/../Junk");
  EXPECT_EQ(same.exit_code, kUsage);
  EXPECT_THAT(same.err, HasSubstr("named after --spam and after --ham"));
  const Ran mistyped = eval(folder_ / "Jnuk", folder_.path().string());
  EXPECT_EQ(mistyped.exit_code, kNoInput);
  EXPECT_THAT(mistyped.err, HasSubstr("Jnuk: No such file or directory"));
}

TEST_F(Mailbox, WrongCommandLinesAreRefused) {
  EXPECT_EQ(RunThresher(Words({})).exit_code, 64);
  EXPECT_EQ(RunThresher(Words({"--header", "X-Bogosity", "results"})).exit_code, 64);
  EXPECT_EQ(RunThresher({"eval", "--header", "X-Bogosity"}).exit_code, 64);
  const Ran none = RunThresher(Words({"--header", "X-Spam-Status"}));
  EXPECT_EQ(none.exit_code, 65);
  EXPECT_THAT(none.err, HasSubstr("X-Spam-Status: no message has a verdict in this header"));
  const Ran missing = RunThresher({"eval", "--spam", folder_ / "nothing", "--header", "X-Bogosity"});
  EXPECT_EQ(missing.exit_code, 66);
  EXPECT_THAT(missing.err, Not(HasSubstr("--header")));
}

}  // namespace
}  // namespace thresher::pipeline
