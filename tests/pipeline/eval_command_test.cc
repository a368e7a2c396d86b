// eval as it is run: what its flags print, and what it says of input that is not as it should be.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/wait.h>

#include <cstdlib>
#include <nlohmann/json.hpp>

#include "tests/pipeline/compressed.h"
#include "tests/pipeline/messages.h"
#include "tests/pipeline/program.h"

namespace thresher::pipeline {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

const char kLines[] =
    "a judge=ham class=ham score=-2 probability=0.1 user=ann genre=list\n"
    "b judge=spam class=ham score=-1 probability=0.3 user=ann genre=shop\n"
    "c judge=ham class=spam score=2 probability=0.9 user=bob genre=shop\n"
    "d judge=spam class=spam score=3 probability=0.95 user=bob genre=shop\n";

TEST(EvalCommand, FiguresByUserAndGenreAndOverTime) {
  const Ran ran = RunThresher({"eval", "--by", "genre", "--curve", "2", "--ham-cost", "5"}, kLines);
  ASSERT_EQ(ran.exit_code, 0) << ran.err;
  EXPECT_THAT(ran.out,
              AllOf(HasSubstr("\nby genre "), HasSubstr("\nshop "), HasSubstr("\nover time"),
                    HasSubstr("verdicts as given                     1.500000: 1 ham lost, 1 spam seen")));
  const auto json = nlohmann::json::parse(
      RunThresher({"eval", "--by", "user", "--curve", "4", "--window", "2", "--json"}, kLines).out);
  EXPECT_EQ(json.at("groups").at("parts").at(0).at("figures").at("messages"), 2);
  EXPECT_EQ(json.at("curve").at(3).at("window").at("messages"), 2);
  EXPECT_EQ(json.at("curve").at(3).at("so_far").at("roc_area_above_percent"), 25);
  const Ran none = RunThresher({"eval", "--by", "user"}, "a judge=ham class=ham score=1\n");
  EXPECT_EQ(none.exit_code, 65);
  EXPECT_THAT(none.err, HasSubstr("no line has a user="));
}

TEST(EvalCommand, TiesAndIntervalsAreChosen) {
  const std::string tied = "a judge=spam class=ham score=1\nb judge=ham class=ham score=1\n";
  const auto area = [&](const std::vector<std::string>& flags) {
    std::vector<std::string> words = {"eval", "--json"};
    words.insert(words.end(), flags.begin(), flags.end());
    return nlohmann::json::parse(RunThresher(words, tied).out);
  };
  EXPECT_EQ(area({}).at("roc_area_above_percent").at("value"), 50);
  EXPECT_EQ(area({"--ties", "trec"}).at("roc_area_above_percent").at("value"), 100);
  EXPECT_EQ(area({}).at("interval"), "delong");
  EXPECT_EQ(area({"--interval", "auto"}).at("interval"), "bootstrap");
  EXPECT_EQ(RunThresher({"eval", "--ties", "all"}, tied).exit_code, 64);
  for (const char* cost : {"0", "-1", "nan", "inf", "x"})
    EXPECT_EQ(RunThresher({"eval", "--ham-cost", cost}, tied).exit_code, 64) << cost;
}

TEST(EvalCommand, TablesAtOtherThresholds) {
  const Ran ran = RunThresher({"eval", "--json", "--threshold", "-1", "--threshold=2.5"}, kLines);
  ASSERT_EQ(ran.exit_code, 0) << ran.err;
  const auto tables = nlohmann::json::parse(ran.out).at("tables");
  ASSERT_EQ(tables.size(), 3U);
  EXPECT_EQ(tables.at(1).at("name"), "spam if score ≥ -1");
  EXPECT_EQ(tables.at(1).at("spam_as_spam"), 2);
  EXPECT_EQ(tables.at(1).at("ham_as_spam"), 1);
  EXPECT_EQ(tables.at(2).at("spam_as_spam"), 1);
  EXPECT_EQ(tables.at(2).at("ham_as_spam"), 0);
  for (const char* wrong : {"nan", "inf", "1e999", "x"})
    EXPECT_EQ(RunThresher({"eval", "--threshold", wrong}, kLines).exit_code, 64) << wrong;
}

TEST(EvalCommand, NamesTheCommandThatShowsWhy) {
  const TestDirectory directory;
  const std::string one = directory.Write("one",
                                          "../data/it's judge=ham class=spam score=2\n"
                                          "-x judge=spam class=spam score=3\n"
                                          "/abs\x1b[2J judge=spam class=ham score=3\n"
                                          "same judge=spam class=spam score=3\n");
  const std::string two = directory.Write("two",
                                          "../data/it's judge=ham class=ham score=-2.5\n"
                                          "-x judge=spam class=ham score=1\n"
                                          "/abs\x1b[2J judge=spam class=spam score=3\n"
                                          "same judge=spam class=spam score=3\n");
  const Ran ran = RunThresher({"eval", one, two, "--disagreements", "--folder", "full"});
  EXPECT_EQ(ran.exit_code, 0) << ran.err;
  EXPECT_THAT(ran.out,
              HasSubstr("\nfirst is right and second wrong, with the scores of both\n"
                        "  spam            3            1  thresher explain full/-x\n"
                        "\nsecond is right and first wrong, with the scores of both\n"
                        "  ham             2         -2.5  thresher explain 'full/../data/it'\\''s'\n"
                        "  spam            3            3  thresher explain $'/abs\\x1b[2J'\n"));
  const Ran bare = RunThresher({"eval", one, two, "--disagreements"});
  EXPECT_THAT(bare.out, HasSubstr("thresher explain ./-x\n"));
  const Ran json = RunThresher({"eval", one, two, "--disagreements", "--json"});
  const std::string last = json.out.substr(json.out.rfind("\n{") + 1);
  const auto list = nlohmann::json::parse(last).at("disagreements");
  ASSERT_EQ(list.size(), 3U);
  EXPECT_EQ(list.at(0).at("right"), "second");
  EXPECT_EQ(list.at(1).at("explain"), "thresher explain ./-x");
}

TEST(EvalCommand, ReadsCompressedFiles) {
  const TestDirectory directory;
  for (const char* format : {"gzip", "zstd"}) {
    const Ran ran = RunThresher({"eval", directory.Write("results", Compressed(format, kLines))});
    EXPECT_EQ(ran.exit_code, 0) << ran.err;
    EXPECT_THAT(ran.out, HasSubstr("4 messages"));
  }
}

TEST(EvalCommand, SaysWhatIsWrongWithItsInput) {
  const TestDirectory directory;
  const Ran folder = RunThresher({"eval", directory.path().string()});
  EXPECT_EQ(folder.exit_code, 66);
  EXPECT_THAT(folder.err, HasSubstr(directory.path().string() + ": Is a directory"));
  EXPECT_EQ(RunThresher({"eval", directory / "nothing"}).exit_code, 66);
  const Ran empty = RunThresher({"eval", directory.Write("empty", "")});
  EXPECT_EQ(empty.exit_code, 65);
  EXPECT_THAT(empty.err, HasSubstr("empty: no result line in this file"));

  const std::string endless(500'000, 'x');
  const Ran mixed = RunThresher({"eval"}, kLines + endless + "\ne judge=ham class=ham score=nan\n" + endless);
  EXPECT_EQ(mixed.exit_code, 65);
  EXPECT_THAT(mixed.out, HasSubstr("4 messages"));
  EXPECT_THAT(mixed.err,
              AllOf(HasSubstr("-:5: longer than 65536 bytes"), HasSubstr("-:6: expected a finite number"),
                    HasSubstr("-:7: longer"), HasSubstr("3 malformed lines left out")));

  const Ran single =
      RunThresher({"eval", "--curve", "2", "--by", "user", "--ham-cost", "3"},
                  "a judge=ham class=ham score=1 user=u\nb judge=ham class=ham score=2 user=v\n");
  EXPECT_EQ(single.exit_code, 0) << single.err;
  EXPECT_THAT(single.out, AllOf(HasSubstr("these results hold one class only"), Not(HasSubstr("nan"))));
}

// `--html results` for `--html FILE results`: the results are read from standard input then, and there are
// none.
TEST(EvalCommand, AFileIsNotEmptiedByARunThatFails) {
  const TestDirectory directory;
  const std::string results = directory.Write("results", kLines);
  const Ran ran = RunThresher({"eval", "--html", results}, "");
  if (ran.exit_code == 64) GTEST_SKIP() << ran.err;
  EXPECT_EQ(ran.exit_code, 65);
  EXPECT_EQ(ReadBytes(results), kLines);
  EXPECT_EQ(RunThresher({"eval", results, "--html", results}).exit_code, 0);
  EXPECT_THAT(ReadBytes(results), testing::StartsWith("<!DOCTYPE html>"));
}

TEST(EvalCommand, FiguresArePrintedWhereNobodyHearsComplaints) {
  const TestDirectory directory;
  const std::string results = directory.Write("results", std::string(kLines) + "malformed\n");
  const std::string other = directory.Write("other", "z judge=ham class=ham score=1\n");
  const std::string out = directory / "out";
  for (const char* deaf : {" 2>&-", " 2>/dev/full"}) {
    const std::string command =
        std::string(THRESHER_PROGRAM) + " eval " + results + " " + other + " >" + out + deaf;
    EXPECT_EQ(WEXITSTATUS(std::system(command.c_str())), 65) << deaf;
    EXPECT_THAT(ReadBytes(out), AllOf(HasSubstr("\n4 messages\n"), HasSubstr("\n0 messages in both\n")));
  }
}

TEST(EvalCommand, NothingSteersTheTerminal) {
  const Ran ran =
      RunThresher({"eval", "--by", "user"},
                  "a judge=ham class=ham score=1 user=\x1b[2Jann\nb judge=ham class=ham score=\x1b[2J\n");
  EXPECT_THAT(ran.out, AllOf(HasSubstr("\n?[2Jann "), Not(HasSubstr("\x1b"))));
  EXPECT_THAT(ran.err, AllOf(HasSubstr("not score=?[2J"), Not(HasSubstr("\x1b"))));
}

TEST(EvalCommand, SingleClassesAreComparedToo) {
  const TestDirectory directory;
  const std::string ham =
      directory.Write("ham", "a judge=ham class=ham score=1\nb judge=ham class=spam score=1\n");
  for (const char* interval : {"delong", "bootstrap"}) {
    const Ran ran = RunThresher({"eval", ham, ham, "--interval", interval});
    EXPECT_EQ(ran.exit_code, 0) << ran.err;
    EXPECT_THAT(ran.out,
                AllOf(HasSubstr("(1−ROCA)%   not defined: a class is missing"), Not(HasSubstr("nan"))));
  }
}

}  // namespace
}  // namespace thresher::pipeline
