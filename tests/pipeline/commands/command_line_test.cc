// How the program handles wrong arguments, readers that close the pipe, and signals.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <thread>

#include "tests/pipeline/program.h"

namespace thresher::pipeline {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;
using testing::StartsWith;

int ShellCode(const std::string& command) {
  const int status = ::system(command.c_str());
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

TEST(CommandLineTest, UsageErrorsNameTheirCause) {
  struct Case {
    std::vector<std::string> words;
    std::string cause;
    int exit_code = 64;
  };
  for (const Case& wrong : std::vector<Case>{
           {{"clasify", "x"}, "'clasify'; did you mean 'classify'?"},
           {{"--bogus"}, "--bogus"},
           {{"vocab", "--top", "-1"}, "-1"},
           {{"explain", "--top", "1.5", "x"}, "1.5"},
           {{"generate", "--out", "x", "--messages", "-3"}, "-3"},
           {{"generate", "--out", "x", "--messages", "5000000000"}, "5000000000"},
           {{"generate", "--out", "x", "--spam", "nan"}, "nan"},
           {{"replay", "x", "--delay", "-1"}, "-1"},
           {{"replay", "x", "--flip", "1.5"}, "1.5"},
           {{"replay", "x", "--seed", "18446744073709551616"}, "18446744073709551616"},
           {{"vocab", "--ham", "--spam"}, "--spam excludes --ham"},
           {{"replay", "x", "--folds", "3", "--store", "x"}, "--store excludes --folds"},
           {{"export", "--ids", "x"}, "--ids requires --examples"},
           {{"config", "--preset", "sparse"}, "--preset requires --effective"},
           {{"--store", "x", "stats"}, "--store belongs behind the command: `thresher stats --store ...`"},
           {{"--store=x", "stats"}, "--store belongs behind the command: `thresher stats --store ...`"},
           {{"--stor", "x", "stats"}, "not expected: --stor; did you mean '--store'?"},
           {{"--store", "x"}, "not expected: --store;"},
           {{"learn", "--hlep"}, "not expected: --hlep; did you mean '--help'?"},
           {{"stats", "--stor=x"}, "not expected: --stor=x; did you mean '--store'?"},
           {{"replay", "/"}, "/: is a folder; name an index file", 66},
           {{"learn", "x"}, "spam or ham? Name the messages after --spam or after --ham"},
           {{"learn", "--format", "x", "y"}, "expected one of auto, message, mbox"},
           {{"feedback"}, "spam or ham? Give --spam or --ham with --id MESSAGE-ID"},
           {{"feedback", "mail"}, "mail: feedback takes Message-IDs"},
           {{"feedback", "--spam", "mail"}, "`thresher learn --spam FILE` teaches a file"},
           {{"feedback", "--spam", "--ham"}, "Exactly 1 option"},
           {{"stats", "mail"}, "not expected: mail"},
           {{"stats", ""}, "not expected: ''"},
           {{"stats", "--store", ""}, "--store: expected a value, not ''"},
           {{"config", "--config", "file"}, "--config requires --effective"},
           {{"stats", "--config", ""}, "--config: expected a value, not ''"},
           {{"learn", "--spam", "x", "--ham", ""}, "--ham: expected a value, not ''"},
           {{"stats", "--set", ""}, "--set: expected a value, not ''"},
           {{"cluster"}, "WHAT is required: expected one of status"},
           {{"help", "lern"}, "'lern'; did you mean 'learn'?"},
           {{"vocab", "--match", "[a"}, "'[a' cannot be used as a regular expression: a [ has no ]"},
           {{"backup"}, "DIR is required"},
           {{"fuse", "x"}, "RESULTS: At least 2 required"},
           {{"feedback", "--spam"}, "--spam and --ham need --id; see `thresher feedback --help`"},
           {{"vocab", "--config"}, "--config"},
           {{"vocab", "--set", "x", "y"}, "y"},  // one value for each --set
           {{"eval", "--by", "x"}, "expected one of user, genre"},
           {{"grid", "x", "--vary", "x", "--store", "y"}, "--store"},
           {{"--"}, "name a command"},
           {{"learn", "--spam", "--learner", "sparse"}, "did you mean preset=sparse?", 78},
           {{"learn", "--spam", "--preset", "ftrl"}, "did you mean learner.name=ftrl?", 78},
           {{"replay", "x", "--threads", "-1"}, "-1", 78},
           {{"replay", "x", "--threads", "99999"}, "99999", 78},
           {{"learn", "--spam", "--wait", "nan", "x"}, "nan", 78},
           {{"learn", "--spam", "--wait", "-1", "x"}, "-1", 78},
       }) {
    const Ran ran = RunThresher(wrong.words);
    EXPECT_EQ(ran.exit_code, wrong.exit_code) << wrong.cause;
    EXPECT_EQ(ran.out, "");
    EXPECT_THAT(ran.err, StartsWith("thresher: "));
    EXPECT_THAT(ran.err, HasSubstr(wrong.cause));
  }
}

// A message that is named and not given is that of the mail system, which is passed on.
TEST(CommandLineTest, FilterOfAFileSaysWhereItReadsFrom) {
  const Ran ran = RunThresher({"filter", "mail"}, "Subject: x\n\n");
  EXPECT_THAT(ran.err, HasSubstr("mail: filter reads the message from standard input"));
  EXPECT_THAT(ran.out, HasSubstr("\nSubject: x\n\n"));
  EXPECT_EQ(ran.exit_code, 0);
}

TEST(CommandLineTest, TheUsageNamesWhatMustBeGiven) {
  const auto usage = [](const char* command) {
    const std::string help = RunThresher({command, "--help"}).out;
    const size_t begin = help.find("Usage: ");
    return help.substr(begin, help.find('\n', begin) - begin);
  };
  EXPECT_EQ(usage("learn"), "Usage: thresher learn {--spam|--ham} [OPTIONS] [PATH...]");
  EXPECT_EQ(usage("feedback"), "Usage: thresher feedback {--spam|--ham|--list} [OPTIONS]");
  EXPECT_EQ(usage("generate"), "Usage: thresher generate --out TEXT [OPTIONS]");
  EXPECT_EQ(usage("stats"), "Usage: thresher stats [OPTIONS]");
  EXPECT_EQ(usage("fuse"), "Usage: thresher fuse [OPTIONS] RESULTS...");
  EXPECT_THAT(RunThresher({"reference", "share/man/man1/thresher-learn.1"}).out,
              HasSubstr("thresher learn\\fR {\\fB\\-\\-spam\\fR|\\fB\\-\\-ham\\fR} ["));
}

TEST(CommandLineTest, HelpIsACommandToo) {
  EXPECT_EQ(RunThresher({"help"}).out, RunThresher({"--help"}).out);
  const Ran learn = RunThresher({"help", "learn"});
  EXPECT_EQ(learn.exit_code, 0);
  EXPECT_EQ(learn.out, RunThresher({"learn", "--help"}).out);
  EXPECT_THAT(learn.out, HasSubstr("Usage: thresher learn"));
}

TEST(CommandLineTest, AStoreThatMayNotBeReadIsAnErrorOfReading) {
  const TestDirectory directory;
  if (::geteuid() != 0) GTEST_SKIP() << "needs root to become somebody else";
  const std::string store = directory / "store";
  ASSERT_EQ(RunThresher({"learn", "--spam", "--store", store}, "Subject: x\n\n").exit_code, 0);
  fs::permissions(directory.path(), fs::perms::owner_all | fs::perms::others_exec);
  fs::permissions(store, fs::perms::owner_all);
  const Ran ran = RunThresher({"stats", "--store", store}, "", As::kNobody);
  EXPECT_EQ(ran.exit_code, 74);
  EXPECT_THAT(ran.err, HasSubstr("cannot read " + store));
}

TEST(CommandLineTest, AtATerminalItSaysWhatItWaitsFor) {
  const TestDirectory directory;
  const std::string message = "From: a@b.example\nSubject: typed\n\nby hand\n";
  for (const auto& [words, what] : std::vector<std::pair<std::vector<std::string>, std::string>>{
           {{"learn", "--spam"}, "a message"},
           {{"classify"}, "a message"},
           {{"explain"}, "a message"},
           {{"filter"}, "a message"},
           {{"feedback", "--list", "-"}, "lines `spam MESSAGE-ID`"},
           {{"forget", "--list", "-"}, "lines with a Message-ID"},
           {{"import", "--model", "other"}, "the output of `thresher export`"},
           {{"eval"}, "result lines"}}) {
    std::vector<std::string> all = words;
    if (words[0] != "eval") all.insert(all.end(), {"--store", directory / "store"});
    const Ran ran = RunAtTerminal(all, message);
    EXPECT_THAT(ran.err, HasSubstr("waiting for " + what)) << words[0];
    EXPECT_THAT(ran.err, HasSubstr("Ctrl-D"));
    EXPECT_THAT(RunThresher(all, message).err, testing::Not(HasSubstr("waiting"))) << words[0];
  }
}

TEST(CommandLineTest, AStoreThatIsNoneIsNamed) {
  const TestDirectory directory;
  const std::string file = directory.Write("mail", "From: a@b.example\nSubject: x\n\n");
  const std::string store = directory / "store";
  ASSERT_EQ(RunThresher({"learn", "--spam", file, "--store", store}).exit_code, 0);
  for (const char* const command : {"stats", "learn", "import"}) {
    const auto run = [&](const std::vector<std::string>& flags) {
      std::vector<std::string> words = {command};
      if (words[0] == "learn") words.insert(words.end(), {"--ham", file});
      words.insert(words.end(), flags.begin(), flags.end());
      return RunThresher(words);
    };
    const Ran model = run({"--store", store + "/default"});
    EXPECT_EQ(model.exit_code, 78) << command;
    EXPECT_THAT(model.err,
                HasSubstr("is a model, not a store: name it by --store " + store + " --model default"));
    const Ran no_folder = run({"--store", file});
    EXPECT_EQ(no_folder.exit_code, 78) << command;
    EXPECT_THAT(no_folder.err, HasSubstr(file + " is no store: expected a folder"));
  }
  EXPECT_FALSE(fs::exists(store + "/default/default"));
  EXPECT_THAT(RunThresher({"stats", "--store", store, "--model", "other"}).err,
              HasSubstr("/other; the store has others: name one by --model, or begin with"));
}

TEST(CommandLineTest, WithoutArgumentsPrintsHelp) {
  const Ran bare = RunThresher({});
  EXPECT_EQ(bare.exit_code, 0);
  EXPECT_EQ(bare.out, RunThresher({"--help"}).out);
  EXPECT_THAT(RunThresher({"--version"}).out, StartsWith("thresher "));
}

TEST(CommandLineTest, OutputThatCannotBeWrittenIsAnError) {
  const std::string program = THRESHER_PROGRAM;
  for (const std::string command : {"config", "learners", "--help", "learners --json"}) {
    EXPECT_EQ(ShellCode(fmt::format("{} {} >/dev/full 2>/dev/null", program, command)), 74) << command;
  }
}

// Nor do error messages that cannot be written change the exit code.
TEST(CommandLineTest, AReaderThatGoesAwayEndsItQuietly) {
  const TestDirectory directory;
  const std::string said = directory / "said";
  const std::string until_it_is_gone = "(trap '' PIPE; while echo; do sleep 0.01; done) 2>/dev/null; ";
  const std::string run =
      "{ " + until_it_is_gone + THRESHER_PROGRAM + " reference docs/settings.md; echo $? >" + said + "; }";
  ASSERT_EQ(ShellCode(run + " 2>" + (directory / "complaints") + " | true"), 0);
  while (ReadBytes(said).empty()) std::this_thread::sleep_for(std::chrono::milliseconds(20));
  EXPECT_EQ(ReadBytes(said), "74\n");
  EXPECT_EQ(ReadBytes(directory / "complaints"), "");
  EXPECT_EQ(ShellCode(std::string(THRESHER_PROGRAM) + " stats --store /nonexistent 2>/dev/full"), 66);
}

// Kills a replay with a temporary store in `temporary` while it learns.
void KillReplay(const std::string& index, const std::string& temporary, int signal) {
  RunningThresher replay({"replay", index});
  const auto is_folder = [](const fs::directory_entry& each) { return each.is_directory(); };
  while (std::ranges::none_of(fs::directory_iterator(temporary), is_folder))  // but a file of ThreadSanitizer
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  std::this_thread::sleep_for(std::chrono::milliseconds(50));  // now it learns
  ASSERT_EQ(::kill(replay.pid(), signal), 0);
  EXPECT_EQ(replay.Finish().exit_code, 128 + signal);
}

TEST(CommandLineTest, ATemporaryStoreIsRemoved) {
  const TestDirectory directory;
  ASSERT_EQ(RunThresher({"generate", "--out", directory / "corpus", "--messages", "1000"}).exit_code, 0);
  const std::string index = directory / "corpus/full/index";
  const std::string long_index = directory / "corpus/full/long";  // not ended before the kill
  for (int i = 0; i < 1000; ++i) std::ofstream(long_index, std::ios::app) << ReadBytes(index);
  const std::string temporary = directory / "tmp";
  fs::create_directory(temporary);
  ASSERT_EQ(::setenv("TMPDIR", temporary.c_str(), 1), 0);
  EXPECT_EQ(RunThresher({"replay", index}).exit_code, 0);
  EXPECT_TRUE(fs::is_empty(temporary));
  KillReplay(long_index, temporary, SIGTERM);
  EXPECT_TRUE(fs::is_empty(temporary));
  KillReplay(long_index, temporary, SIGKILL);
  EXPECT_FALSE(fs::is_empty(temporary));
  EXPECT_EQ(RunThresher({"replay", index}).exit_code, 0);  // removes what the killed one left
  EXPECT_TRUE(fs::is_empty(temporary));
  ::unsetenv("TMPDIR");
}

TEST(CommandLineTest, ConfigHelpsWhereTheFileIsBroken) {
  const TestDirectory directory;
  const std::string config = directory.Write("config.yaml", "thresholds:\n  spamm: 0.9\n");
  EXPECT_EQ(RunThresher({"config"}).exit_code, 0);
  EXPECT_EQ(RunThresher({"config", "--effective", "--config", config}).exit_code, 78);
}

TEST(CommandLineTest, FileNamesTheLearnerOfNewModelsOnly) {
  const TestDirectory directory;
  const std::string store = directory / "store";
  const std::string message = directory.Write("message", "Subject: hello\n\nwords\n");
  ASSERT_EQ(RunThresher({"learn", "--ham", "--store", store, message}).exit_code, 0);
  const std::string config = directory.Write(
      "config.yaml", "learner:\n  name: lazy-fobos\n  options:\n    l1: 1e-5\nfeatures:\n  urls: false\n");

  const Ran stats = RunThresher({"stats", "--store", store, "--config", config});
  EXPECT_EQ(stats.exit_code, 0) << stats.err;
  EXPECT_THAT(stats.out, HasSubstr("ftrl"));
  EXPECT_EQ(RunThresher({"rebuild", "--store", store, "--config", config}).exit_code, 0);
  EXPECT_THAT(RunThresher({"stats", "--store", store}).out, HasSubstr("ftrl"));
  const std::string other = directory / "other";
  ASSERT_EQ(RunThresher({"learn", "--ham", "--store", other, "--config", config, message}).exit_code, 0);
  EXPECT_THAT(RunThresher({"stats", "--store", other}).out, HasSubstr("lazy-fobos"));

  const Ran learner = RunThresher({"learn", "--ham", "--store", store, "--learner", "lazy-sgd", message});
  EXPECT_EQ(learner.exit_code, 78);
  EXPECT_THAT(learner.err, HasSubstr("ftrl, not lazy-sgd:"));
  const Ran features = RunThresher({"stats", "--store", store, "--set", "features.urls=false"});
  EXPECT_EQ(features.exit_code, 78);
  EXPECT_THAT(features.err, HasSubstr("features.urls true, not false"));
  const Ran alone = RunThresher({"stats", "--store", store, "--set", "learner.options.alpha=0.25"});
  EXPECT_EQ(alone.exit_code, 78);
  EXPECT_THAT(alone.err, testing::ContainsRegex("learner adaptive-ftrl and alpha=[0-9.]+, not 0.25: teach"));
}

TEST(CommandLineTest, RebuildTakesOptionsOfALearnerThatIsNotTheDefault) {
  const TestDirectory directory;
  const std::string store = directory / "store";
  const std::string message = directory.Write("message", "Subject: hello\n\nwords\n");
  ASSERT_EQ(RunThresher({"learn", "--ham", "--store", store, "--learner", "l1-ball", message}).exit_code, 0);
  const Ran rebuilt = RunThresher({"rebuild", "--store", store, "--set", "learner.options.radius=100"});
  EXPECT_EQ(rebuilt.exit_code, 0) << rebuilt.err;
  EXPECT_THAT(RunThresher({"stats", "--store", store}).out, HasSubstr("radius=100"));
  const Ran wrong = RunThresher({"rebuild", "--store", store, "--set", "learner.options.alpha=1"});
  EXPECT_EQ(wrong.exit_code, 78);
  EXPECT_THAT(wrong.err, HasSubstr("alpha"));
}

// Otherwise files of the store would get the descriptors of the standard streams.
TEST(CommandLineTest, ClosedStandardStreamsAreErrorsAndTouchNoFile) {
  const TestDirectory directory;
  const std::string learn = std::string(THRESHER_PROGRAM) + " learn --ham --store " + (directory / "store");
  const std::string complaints = " 2>" + (directory / "complaints");
  EXPECT_EQ(ShellCode(learn + " <&-" + complaints), 66);
  EXPECT_THAT(ReadBytes(directory / "complaints"), HasSubstr("Bad file descriptor"));
  EXPECT_FALSE(fs::exists(directory / "store"));

  const std::string message = directory.Write("message", "Subject: a\n\nb\n");
  EXPECT_EQ(ShellCode(learn + " " + message + " >&-" + complaints), 74);
  EXPECT_EQ(ShellCode(learn + " /nonexistent " + message + " >" + (directory / "out") + " 2>&-"), 66);
  EXPECT_THAT(ReadBytes(directory / "store/default/writer"), testing::Not(HasSubstr("No such file")));
  EXPECT_EQ(RunThresher({"stats", "--store", directory / "store"}).exit_code, 0);
}

TEST(CommandLineTest, ReportsThatThereIsNothingToClassify) {
  const TestDirectory directory;
  const std::string message = directory.Write("message", "Subject: a\n\nb\n");
  ASSERT_EQ(RunThresher({"learn", "--ham", "--store", directory / "store", message}).exit_code, 0);
  const Ran ran = RunThresher({"classify", "--store", directory / "store", "-"}, "");
  EXPECT_EQ(ran.exit_code, 3);
  EXPECT_THAT(ran.err, HasSubstr("no message"));
  for (const char* const command : {"explain", "forget"}) {
    const Ran other = RunThresher({command, "--store", directory / "store", "-"}, "");
    EXPECT_EQ(other.exit_code, 66) << command;
    EXPECT_THAT(other.err, HasSubstr("no message")) << command;
  }
}

TEST(CommandLineTest, NothingToLearnMakesNoModel) {
  const TestDirectory directory;
  EXPECT_EQ(RunThresher({"learn", "--ham", "--store", directory / "store", directory / "nothing"}).exit_code,
            66);
  EXPECT_FALSE(fs::exists(directory / "store"));
}

TEST(CommandLineTest, ErrorsAreOneLine) {
  for (const std::vector<std::string>& words : std::vector<std::vector<std::string>>{
           {"stats", "--store", "/nonexistent/a\nb"}, {"stats", "--set", "x\ny=1"}, {"cl\nassify"}}) {
    const std::string said = RunThresher(words).err;
    EXPECT_EQ(std::count(said.begin(), said.end(), '\n'), 1) << said;
  }
}

}  // namespace
}  // namespace thresher::pipeline
