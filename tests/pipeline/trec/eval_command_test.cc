// eval as it is run: what its flags print, and what it says of input that is not as it should be.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/wait.h>

#include <algorithm>
#include <cstdlib>
#include <nlohmann/json.hpp>

#include "pipeline/error.h"
#include "tests/pipeline/input/compressed.h"
#include "tests/pipeline/messages.h"
#include "tests/pipeline/program.h"
#include "tests/pipeline/trec/small_corpus.h"

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
  EXPECT_THAT(
      ran.out,
      AllOf(HasSubstr("\nby genre "), HasSubstr("\nshop "), HasSubstr("\nover time"),
            HasSubstr("verdicts as given                     1.500000: 1 ham lost, 1 spam in the inbox")));
  const auto json = nlohmann::json::parse(
      RunThresher({"eval", "--by", "user", "--curve", "4", "--window", "2", "--json"}, kLines).out);
  EXPECT_EQ(json.at("groups").at("parts").at(0).at("figures").at("messages"), 2);
  EXPECT_EQ(json.at("curve").at(3).at("window").at("messages"), 2);
  EXPECT_EQ(json.at("curve").at(3).at("so_far").at("roc_area_above_percent"), 25);
  const Ran none = RunThresher({"eval", "--by", "user"}, "a judge=ham class=ham score=1\n");
  EXPECT_EQ(none.exit_code, 65);
  EXPECT_THAT(none.err, HasSubstr("--by user: no line has a field user="));
}

TEST(EvalCommand, TiesAndIntervalsAreChosen) {
  const std::string tied = "a judge=spam class=ham score=1\nb judge=ham class=ham score=1\n";
  std::string results = tied;
  const auto area = [&](const std::vector<std::string>& flags) {
    std::vector<std::string> words = {"eval", "--json"};
    words.insert(words.end(), flags.begin(), flags.end());
    return nlohmann::json::parse(RunThresher(words, results).out);
  };
  EXPECT_EQ(area({}).at("roc_area_above_percent").at("value"), 50);
  EXPECT_EQ(area({"--ties", "trec"}).at("roc_area_above_percent").at("value"), 100);
  EXPECT_EQ(area({"--interval", "bootstrap"}).at("interval"), "clopper-pearson");  // says nothing of one pair
  results += "c judge=spam class=spam score=3\nd judge=ham class=ham score=2\n";
  EXPECT_EQ(area({}).at("interval"), "delong");
  EXPECT_EQ(area({"--interval", "auto"}).at("interval"), "bootstrap");
  results = "a judge=spam class=ham score=1\n";
  EXPECT_TRUE(area({}).at("interval").is_null());
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

TEST(EvalCommand, DisagreementsNameTheModelThatWasWrong) {
  const TestDirectory directory;
  const std::string one = directory.Write("one",
                                          "../data/it's judge=ham class=spam score=2 user=ann\n"
                                          "-x judge=spam class=spam score=3 user=bob\n"
                                          "/abs\x1b[2J judge=spam class=ham score=3\n"
                                          "same judge=spam class=spam score=3\n");
  const std::string two = directory.Write("two",
                                          "../data/it's judge=ham class=ham score=-2.5\n"
                                          "-x judge=spam class=ham score=1\n"
                                          "/abs\x1b[2J judge=spam class=spam score=3\n"
                                          "same judge=spam class=spam score=3\n");
  const auto list = [&](const std::vector<std::string>& flags) {
    std::vector<std::string> words = {"eval", one, two, "--disagreements"};
    words.insert(words.end(), flags.begin(), flags.end());
    return RunThresher(words);
  };
  const Ran ran =
      list({"--folder", "full", "--store", "my store", "--model", "a", "--model", "b", "--personal"});
  EXPECT_EQ(ran.exit_code, 0) << ran.err;
  EXPECT_THAT(ran.out,
              HasSubstr("\nfirst is right and second is wrong; score of the first, score of the second\n"
                        "  spam            3            1  "
                        "thresher explain --store 'my store' --model b --user bob full/-x\n"
                        "\nsecond is right and first is wrong; score of the first, score of the second\n"
                        "  ham             2         -2.5  "
                        "thresher explain --store 'my store' --model a --user ann 'full/../data/it'\\''s'\n"
                        "  spam            3            3  "
                        "thresher explain --store 'my store' --model a $'/abs\\x1b[2J'\n"));
  const Ran stores = list({"--store", "s", "--store", "t", "--document"});
  EXPECT_THAT(stores.out,
              AllOf(HasSubstr("thresher explain --store t --document ./-x\n"),
                    HasSubstr("thresher explain --store s --document "), Not(HasSubstr("--user"))));
  EXPECT_EQ(RunThresher({"eval", one, "--disagreements"}).exit_code, kUsage);
  EXPECT_EQ(RunThresher({"eval", one, two, "--folder", "full"}).exit_code, kUsage);
  const Ran json = list({"--store", "s", "--json"});
  const auto disagreements =
      nlohmann::json::parse(json.out.substr(json.out.rfind("\n{") + 1)).at("disagreements");
  ASSERT_EQ(disagreements.size(), 3U);
  EXPECT_EQ(disagreements.at(0).at("right"), "second");
  EXPECT_EQ(disagreements.at(1).at("explain"), "thresher explain --store s ./-x");
  EXPECT_EQ(list({"--store", "s", "--store", "t", "--store", "u"}).exit_code, 64);
  EXPECT_EQ(list({"--model", "a"}).exit_code, 64);
}

// The live model has learned other messages: its explanation would be of another score.
TEST(EvalCommand, DisagreementsOfModelsThatWereNotStoredSayWhatIsNeeded) {
  const TestDirectory directory;
  const std::string one = directory.Write("one", "x judge=ham class=spam score=2\n");
  const std::string two = directory.Write("two", "x judge=ham class=ham score=1\n");
  const Ran ran = RunThresher({"eval", one, two, "--disagreements", "--folder", "full"});
  EXPECT_THAT(ran.out,
              AllOf(HasSubstr("  ham             2            1  full/x\n"),
                    HasSubstr("thresher replay INDEX --store DIR"), Not(HasSubstr("thresher explain"))));
  const Ran json = RunThresher({"eval", one, two, "--disagreements", "--json"});
  EXPECT_TRUE(nlohmann::json::parse(json.out.substr(json.out.rfind("\n{") + 1))
                  .at("disagreements")
                  .at(0)
                  .at("explain")
                  .is_null());
}

TEST(EvalCommand, TheCommandOfADisagreementExplainsWithTheModelOfItsReplay) {
  const TestDirectory directory;
  const std::string index = WriteSmallCorpus(directory, 30, true);
  const std::string store = directory / "store";
  for (const char* learner : {"ftrl", "lazy-sgd"}) {
    // Without rehearsal and with these values they disagree.
    const Ran ran = RunThresher({"replay", index, "--learner", learner, "--set", "rehearsal.draws=0", "--set",
                                 "features.values=normalised", "--personal", "--store", store, "--model",
                                 learner, "--out", directory / learner});
    ASSERT_EQ(ran.exit_code, 0) << ran.err;
  }
  const Ran ran = RunThresher({"eval", directory / "ftrl", directory / "lazy-sgd", "--disagreements",
                               "--json", "--folder", directory / "full", "--store", store, "--model", "ftrl",
                               "--model", "lazy-sgd", "--personal"});
  const auto list = nlohmann::json::parse(ran.out.substr(ran.out.rfind("\n{") + 1)).at("disagreements");
  ASSERT_GT(list.size(), 0U) << ran.out;
  const std::string command = list.at(0).at("explain").get<std::string>();
  const std::string out = directory / "explained";
  const std::string program = THRESHER_PROGRAM + command.substr(std::string("thresher").size());
  ASSERT_EQ(WEXITSTATUS(std::system((program + " --json >" + out).c_str())), 0) << program;
  EXPECT_GT(nlohmann::json::parse(ReadBytes(out)).at("weighted_features"), 0);
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
  EXPECT_THAT(empty.err, HasSubstr("empty: expected TREC result lines, found none"));

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

TEST(EvalCommand, OfManyMalformedLinesTheFirstAreShownAndAllCounted) {
  std::string text;
  for (int i = 0; i < 1000; ++i) text += "From: someone\n";
  const Ran wrong_file = RunThresher({"eval"}, text);
  EXPECT_EQ(wrong_file.exit_code, 65);
  EXPECT_EQ(std::count(wrong_file.err.begin(), wrong_file.err.end(), '\n'), 5) << wrong_file.err;
  EXPECT_THAT(wrong_file.err, AllOf(HasSubstr("-:1: "), HasSubstr("-:3: "), Not(HasSubstr("-:4: ")),
                                    HasSubstr("-: 997 more malformed lines; all 1000 are left out\n"),
                                    HasSubstr("-: expected TREC result lines, found none\n")));
  const Ran one = RunThresher({"eval"}, kLines + std::string("malformed\n"));
  EXPECT_THAT(one.err, HasSubstr("-: 1 malformed line left out\n"));
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
  const std::string report = directory.Write("report", "of another run");
  EXPECT_EQ(RunThresher({"eval", results, "--html", report}).exit_code, 0);
  EXPECT_THAT(ReadBytes(report), testing::StartsWith("<!DOCTYPE html>"));
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
  EXPECT_THAT(ran.out, AllOf(HasSubstr("\n\\x1b[2Jann "), Not(HasSubstr("\x1b"))));
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
                AllOf(HasSubstr("(1−ROCA)%   not defined: a class has no message"), Not(HasSubstr("nan"))));
  }
}

}  // namespace
}  // namespace thresher::pipeline
