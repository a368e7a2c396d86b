// jig: which commands a filter gets and in which order, how its failures are reported, and that none of its
// processes and files stay behind.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <cstdlib>
#include <nlohmann/json.hpp>
#include <ostream>
#include <thread>

#include "tests/pipeline/messages.h"
#include "tests/pipeline/program.h"

namespace thresher::pipeline {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::StartsWith;

class JigTest : public testing::Test {
 protected:
  // The first run makes the folder that all runs share; it must be made before TMPDIR is changed.
  static void SetUpTestSuite() { RunThresher({"--version"}); }

  JigTest() {
    // A filter writes notes for the test here.
    ::setenv("JIG_NOTES", directory_.path().c_str(), 1);
    // Temporary directories are made here, so the test sees any that stay behind.
    std::filesystem::create_directory(temporary_);
    ::setenv("TMPDIR", temporary_.c_str(), 1);
    Does("initialize", "");
    Does("classify", "echo class=ham score=0 tfile=");
    Does("train", "");
    Does("finalize", "");
    directory_.Write("data/s", SpamMessage(1));
    directory_.Write("data/h", HamMessage(1));
  }
  ~JigTest() override { ::unsetenv("TMPDIR"); }

  void Does(const std::string& command, const std::string& body) {
    ::chmod(directory_.Write("filter/" + command, "#!/bin/sh\n" + body + "\n").c_str(), 0755);
  }

  Ran Jig(const std::string& index, std::vector<std::string> more = {}) {
    more.insert(more.begin(),
                {"jig", "--filter", directory_ / "filter", directory_.Write("full/index", index)});
    return RunThresher(more);
  }

  // The failures of `command` on one ham and one spam, with the given time limit.
  nlohmann::json FailuresOf(const std::string& command, const std::string& timeout = "600") {
    const Ran ran = Jig("ham ../data/h\nspam ../data/s\n",
                        {"--json", "--out", directory_ / "results", "--timeout", timeout});
    EXPECT_EQ(ran.exit_code, 0) << ran.err;
    return nlohmann::json::parse(ran.out).at("commands").at(command).at("failures");
  }

  std::string Results() const { return ReadBytes(directory_ / "results"); }
  bool LeftFoldersBehind() const { return !std::filesystem::is_empty(temporary_); }

  // Waits until another process has done it.
  template <typename Condition>
  static void Await(Condition condition) {
    while (!condition()) std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
  bool Exists(const std::string& note) const { return std::filesystem::exists(directory_ / note); }
  // Whether the process whose number is in the file `note` is running.
  bool IsAlive(const std::string& note) const {
    const std::string stat =
        ReadBytes("/proc/" + std::to_string(std::stoi(ReadBytes(directory_ / note))) + "/stat");
    return !stat.empty() && stat.find(") Z ") == std::string::npos;
  }

  TestDirectory directory_;
  std::filesystem::path temporary_ = directory_.path() / "tmp";
  // The answer used for a message on which the filter failed.
  const std::string defaults_ =
      "../data/h judge=ham class=ham score=0.00000000\n../data/s judge=spam class=ham score=0.00000000\n";
};

TEST_F(JigTest, AsksInTheOrderOfTheIndex) {
  Does("initialize", "echo initialize >>\"$JIG_NOTES/calls\"; echo $# >count");
  Does("classify",
       "echo \"classify ${1##*/}\" >>\"$JIG_NOTES/calls\"; echo class=spam score=1.5 tfile=of-${1##*/}");
  Does("train", "echo \"train $1 ${2##*/} $3 [$4]\" >>\"$JIG_NOTES/calls\"");
  Does("finalize", "cat count >>\"$JIG_NOTES/calls\"; echo finalize >>\"$JIG_NOTES/calls\"");
  const Ran ran = Jig("ham ../data/h\nSpam ../data/s\nHAM ../data/h\nSPAM ../data/s\n",
                      {"--json", "--out", directory_ / "results"});
  ASSERT_EQ(ran.exit_code, 0) << ran.err;
  EXPECT_EQ(ReadBytes(directory_ / "calls"),
            "initialize\nclassify h\ntrain ham h spam [of-h]\nclassify s\ntrain ham h unknown []\n"
            "train spam s spam [of-s]\n0\nfinalize\n");
  EXPECT_EQ(
      Results(),
      "../data/h judge=ham class=spam score=1.50000000\n../data/s judge=spam class=spam score=1.50000000\n");
  const auto json = nlohmann::json::parse(ran.out);
  EXPECT_EQ(json.at("classified"), 2);
  EXPECT_EQ(json.at("trained"), 3);
  EXPECT_EQ(json.at("commands").at("train").at("calls"), 3);
  EXPECT_TRUE(json.at("commands").at("train").at("failures").empty());
  EXPECT_GT(json.at("state_bytes"), 0);
  EXPECT_GT(json.at("peak_memory_kib"), 0);
}

TEST_F(JigTest, EachUsersAnswerComesBackWithTheirFeedback) {
  Does("classify",
       "echo class=ham score=0 tfile=$(ls \"$JIG_NOTES\"/asked* 2>/dev/null | wc -l); "
       "touch \"$JIG_NOTES/asked$$\"");
  Does("train", "echo \"$1 $3 [$4]\" >>\"$JIG_NOTES/calls\"");
  const Ran ran =
      Jig("Ham ../data/h ann\nHam ../data/h bob\nHAM ../data/h ann\nHAM ../data/h bob\n", {"--json"});
  ASSERT_EQ(ran.exit_code, 0) << ran.err;
  EXPECT_EQ(ReadBytes(directory_ / "calls"), "ham ham [0]\nham ham [1]\n");
}

TEST_F(JigTest, PrintsTheFiguresOfItsResults) {
  Does("classify", "case $1 in */s) echo class=spam score=2 ;; *) echo class=ham score=1 ;; esac");
  const Ran ran = Jig("ham ../data/h\nspam ../data/s\n");
  EXPECT_EQ(ran.exit_code, 0) << ran.err;
  EXPECT_THAT(ran.out, AllOf(HasSubstr("2 messages\n"), HasSubstr("messages/s\n"),
                             HasSubstr("\npeak memory "), HasSubstr("\nclassify         2 times: median ")));
  EXPECT_THAT(ran.out, testing::Not(HasSubstr("FAILED")));
}

TEST_F(JigTest, TheFilterIsACopyWithAHomeOfItsOwn) {
  directory_.Write("filter/data/words", "given\n");
  Does("initialize",
       "cat data/words >$JIG_NOTES/words; rm -r data classify; touch new; [ \"$HOME\" = \"$PWD\" ]");
  EXPECT_EQ(FailuresOf("initialize"), nlohmann::json::object());
  EXPECT_EQ(ReadBytes(directory_ / "words"), "given\n");
  EXPECT_TRUE(std::filesystem::exists(directory_ / "filter/data/words"));
  EXPECT_FALSE(std::filesystem::exists(directory_ / "filter/new"));
  EXPECT_EQ(Results(), defaults_) << "its classify is gone";
  EXPECT_FALSE(LeftFoldersBehind());
}

TEST_F(JigTest, GetsAnEmptyStandardInput) {
  Does("classify", "cat >got; [ -s got ] || echo class=spam score=1");
  EXPECT_EQ(FailuresOf("classify"), nlohmann::json::object());
}

TEST_F(JigTest, ExitCodesAndCrashesBecomeTheDefault) {
  Does("classify", "echo class=spam score=5; printf 'no \\033 words\\nat all' >&2; exit 3");
  Does("train", "kill -SEGV $$");
  EXPECT_EQ(FailuresOf("classify"), (nlohmann::json{{"exit code", 2}}));
  EXPECT_EQ(Results(), defaults_);
  EXPECT_EQ(FailuresOf("train"), (nlohmann::json{{"signal", 2}}));
  const Ran ran = Jig("ham ../data/h\n");
  EXPECT_THAT(ran.out,
              AllOf(HasSubstr("FAILED           classify: 1 × exit code; first: classify "),
                    HasSubstr("/data/h: exit code 3: no \\x1b words\n"), HasSubstr("died of signal 11\n")));
}

TEST_F(JigTest, WhatCannotBeRunFails) {
  ::chmod(directory_.Write("filter/train", "#!/no/such/interpreter\n").c_str(), 0755);
  EXPECT_EQ(FailuresOf("train"), (nlohmann::json{{"exit code", 2}}));
}

TEST_F(JigTest, UnreadableAnswersBecomeTheDefault) {
  for (const std::string answer : {"", "echo hello", "echo class=maybe score=1", "echo class=spam",
                                   "echo class=spam score=high", "head -c 999 /dev/urandom | tr = -"}) {
    Does("classify", answer);
    EXPECT_EQ(FailuresOf("classify"), (nlohmann::json{{"unreadable output", 2}})) << answer;
    EXPECT_EQ(Results(), defaults_) << answer;
  }
  for (const std::string score : {"nan", "-nan", "inf", "-inf", "1e999"}) {
    Does("classify", "echo class=spam score=" + score);
    EXPECT_EQ(FailuresOf("classify"), (nlohmann::json{{"score not finite", 2}})) << score;
    EXPECT_EQ(Results(), defaults_) << score;
  }
}

TEST_F(JigTest, AnswersMayBeInAnyOrderAndSayMore) {
  Does("classify",
       "echo; echo 'score=+2.5  x=y  class=spam  probability=0.75 tfile=a=b'; echo class=ham score=1");
  EXPECT_EQ(FailuresOf("classify"), nlohmann::json::object());
  EXPECT_THAT(Results(), StartsWith("../data/h judge=ham class=spam score=2.50000000 probability=0.75\n"));
  Does("classify", "echo class=ham score=1e-999");
  EXPECT_EQ(FailuresOf("classify"), nlohmann::json::object()) << "too small for a double";
  Does("classify", "echo class=spam score=1 probability=nan");
  EXPECT_EQ(FailuresOf("classify"), nlohmann::json::object());
  EXPECT_THAT(Results(), StartsWith("../data/h judge=ham class=spam score=1.00000000\n"));
}

TEST_F(JigTest, OneThatHangsIsKilledWithAllItStarted) {
  Does("classify", "sleep 1000 & echo $! >$JIG_NOTES/sleeper; trap '' TERM; while :; do sleep 1000; done");
  EXPECT_EQ(FailuresOf("classify", "2"), (nlohmann::json{{"timeout", 2}}));
  EXPECT_EQ(Results(), defaults_);
  EXPECT_FALSE(IsAlive("sleeper"));
}

TEST_F(JigTest, GigabytesAreCutShort) {
  Does("classify", "exec cat /dev/zero");
  Does("train", "head -c 100000000 /dev/zero >&2");
  EXPECT_EQ(FailuresOf("classify"), (nlohmann::json{{"too much output", 2}}));
  EXPECT_EQ(FailuresOf("train"), nlohmann::json::object()) << "complaints are dropped";
  EXPECT_EQ(Results(), defaults_);
}

TEST_F(JigTest, BackgroundProcessesEndWithTheirCommand) {
  // It keeps standard output open; nobody waits for that.
  Does("classify", "echo class=spam score=1; sleep 1000 & echo $! >$JIG_NOTES/sleeper");
  Does("train",
       "read -r pid <$JIG_NOTES/sleeper; while grep -q ') [^Z] ' /proc/$pid/stat; do sleep 0.01; done");
  EXPECT_EQ(FailuresOf("train"), nlohmann::json::object());
  EXPECT_THAT(Results(), HasSubstr("class=spam"));
}

TEST_F(JigTest, AServerLivesUntilTheEnd) {
  Does("initialize",
       "setsid sh -c 'echo $$ >$JIG_NOTES/server; exec sleep 1000' & while ! [ -s $JIG_NOTES/server ]; do "
       "sleep 0.01; done");
  Does("classify", "read -r pid <$JIG_NOTES/server; kill -0 $pid && echo class=spam score=1");
  EXPECT_EQ(FailuresOf("classify"), nlohmann::json::object());
  EXPECT_FALSE(IsAlive("server"));
  // A filter that stops the server sees that it is gone.
  std::filesystem::remove(directory_ / "server");
  Does("finalize", "read -r pid <$JIG_NOTES/server; kill $pid; while kill -0 $pid; do sleep 0.01; done");
  EXPECT_EQ(FailuresOf("finalize"), nlohmann::json::object());
}

TEST_F(JigTest, AnInterruptLeavesNothingBehind) {
  Does("initialize", "setsid sleep 1000 & echo $! >$JIG_NOTES/server");
  Does("classify", "echo $$ >$JIG_NOTES/part; mv $JIG_NOTES/part $JIG_NOTES/pid; exec sleep 1000");
  const std::string index = directory_.Write("full/index", "ham ../data/h\n");
  for (const int signal : {SIGKILL, SIGINT, SIGTERM}) {  // the run after SIGKILL removes what that one left
    std::filesystem::remove(directory_ / "pid");
    RunningThresher jig({"jig", "--filter", directory_ / "filter", index});
    Await([&] { return Exists("pid"); });
    ::kill(jig.pid(), signal);
    EXPECT_EQ(jig.Finish().exit_code, 128 + signal);
    Await([&] { return !IsAlive("pid"); });
    if (signal != SIGKILL) {
      EXPECT_FALSE(LeftFoldersBehind());
      EXPECT_FALSE(IsAlive("server"));
    }
    ::kill(std::stoi(ReadBytes(directory_ / "server")), SIGKILL);
  }
}

TEST_F(JigTest, MissingExecutablesAreSaidBeforeAnythingRuns) {
  Does("initialize", "touch $JIG_NOTES/ran");
  ::chmod((directory_ / "filter/train").c_str(), 0644);
  const Ran closed = Jig("ham ../data/h\n");
  EXPECT_EQ(closed.exit_code, 66);
  EXPECT_THAT(closed.err, HasSubstr("filter/train: not executable"));
  std::filesystem::remove(directory_ / "filter/finalize");
  Does("train", "");
  const Ran missing = Jig("ham ../data/h\n");
  EXPECT_EQ(missing.exit_code, 66);
  EXPECT_THAT(missing.err, HasSubstr("filter/finalize: there is no such file"));
  EXPECT_FALSE(Exists("ran"));
}

TEST_F(JigTest, MissingAndCompressedMessagesAreReportedWithTheirLine) {
  directory_.Write("data/z", std::string_view("\x1f\x8b\x08\0\0\0\0\0\0\0", 10));
  const Ran ran = Jig("ham ../data/gone\nham ../data/z\nham ../data/h\n", {"--json"});
  EXPECT_EQ(ran.exit_code, 66);
  EXPECT_THAT(ran.err, AllOf(HasSubstr("index:1:"), HasSubstr("index:2:"), HasSubstr("compressed")));
  EXPECT_EQ(nlohmann::json::parse(ran.out).at("classified"), 1);
}

// Nobody writes to the FIFO, and jig reads files without a time limit.
TEST_F(JigTest, AMessageThatIsNoFileIsReported) {
  ASSERT_EQ(::mkfifo((directory_ / "data/fifo").c_str(), 0600), 0);
  const Ran ran = Jig("ham ../data/fifo\nham ../data/h\nham ../data/\x1b[2J\n", {"--json"});
  EXPECT_EQ(ran.exit_code, 66);
  EXPECT_THAT(ran.err, AllOf(HasSubstr("index:1:"), HasSubstr("not a regular file"), HasSubstr("/?[2J: No")));
  EXPECT_EQ(nlohmann::json::parse(ran.out).at("classified"), 1);
}

TEST_F(JigTest, MisuseIsRefused) {
  EXPECT_EQ(Jig("spma ../data/s\n").exit_code, 65);
  EXPECT_EQ(Jig("").exit_code, 65);
  for (const char* timeout : {"0", "-1", "nan", "1e9", "soon"})
    EXPECT_EQ(Jig("ham ../data/h\n", {"--timeout", timeout}).exit_code, 64) << timeout;
  EXPECT_EQ(RunThresher({"jig", directory_ / "full/index"}).exit_code, 64);
  EXPECT_EQ(Jig("ham ../data/h\n", {"--out", directory_ / "no/such/folder/results"}).exit_code, 73);
}

// One process per message gives the same results as one process for all.
TEST_F(JigTest, ThroughItsOwnAdapterThresherSaysTheSame) {
  ::setenv("THRESHER", THRESHER_PROGRAM, 1);
  ASSERT_EQ(RunThresher({"generate", "--messages", "30", "--out", directory_ / "made"}).exit_code, 0);
  // One message is trained without being classified, one is only classified, one is trained late.
  std::string lines = ReadBytes(directory_ / "made/full/index");
  const std::string first = lines.substr(lines.find(' '), lines.find('\n') - lines.find(' '));
  lines += "HAM ../../data/h\nSpam ../../data/s\nSPAM ../../data/s\nHam" + first + "\n";
  const std::string index = directory_.Write("made/full/more", lines);
  const Ran jigged =
      RunThresher({"jig", "--filter", std::string(THRESHER_SOURCE_DIR) + "/eval/peers/thresher", index,
                   "--out", directory_ / "jigged", "--json"});
  ASSERT_EQ(jigged.exit_code, 0) << jigged.err;
  const auto json = nlohmann::json::parse(jigged.out);
  for (const auto& command : json.at("commands")) EXPECT_TRUE(command.at("failures").empty()) << command;
  ASSERT_EQ(RunThresher({"replay", index, "--out", directory_ / "replayed"}).exit_code, 0);
  EXPECT_EQ(ReadBytes(directory_ / "jigged"), ReadBytes(directory_ / "replayed"));
}

struct Peer {
  std::string name;
  std::string program;  // the filter needs this program
};
void PrintTo(const Peer& peer, std::ostream* out) { *out << peer.name; }

class PeerTest : public JigTest, public testing::WithParamInterface<Peer> {};

// Runs those that are installed.
TEST_P(PeerTest, ItsAdapterNeverFailsAndLearns) {
  if (::access(("/usr/bin/" + GetParam().program).c_str(), X_OK) != 0)
    GTEST_SKIP() << GetParam().program << " is not installed";
  std::string lines;
  for (int i = 0; i < 20; ++i) {
    directory_.Write(fmt::format("data/s{}", i), SpamMessage(i));
    directory_.Write(fmt::format("data/h{}", i), HamMessage(i));
    lines += fmt::format("spam ../data/s{0}\nham ../data/h{0}\n", i);
  }
  const std::string peer = std::string(THRESHER_SOURCE_DIR) + "/eval/peers/" + GetParam().name;
  const Ran ran = RunThresher({"jig", "--filter", peer, directory_.Write("full/index", lines), "--json"});
  ASSERT_EQ(ran.exit_code, 0) << ran.err;
  const auto json = nlohmann::json::parse(ran.out);
  for (const auto& command : json.at("commands")) EXPECT_TRUE(command.at("failures").empty()) << command;
  EXPECT_LT(json.at("figures").at("roc_area_above_percent").at("value"), 20);
}

INSTANTIATE_TEST_SUITE_P(Peers, PeerTest,
                         testing::Values(Peer{"bogofilter", "bogofilter"}, Peer{"crm114", "crm"},
                                         Peer{"spamassassin", "sa-learn"}),
                         [](const auto& peer) { return peer.param.name; });

}  // namespace
}  // namespace thresher::pipeline
