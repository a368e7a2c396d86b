// No command writes into a file that it reads, or two of its outputs into one file.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/wait.h>

#include <cstdlib>
#include <filesystem>
#include <string>
#include <vector>

#include "pipeline/error.h"
#include "tests/pipeline/program.h"
#include "tests/pipeline/trec/small_corpus.h"

namespace thresher::pipeline {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

class OutputsTest : public testing::Test {
 protected:
  static void ExpectRefused(const std::vector<std::string>& words, const std::string& why) {
    const Ran ran = RunThresher(words);
    EXPECT_EQ(ran.exit_code, kUsage) << why;
    EXPECT_EQ(ran.out, "");
    EXPECT_THAT(ran.err, HasSubstr(why + "; name another file"));
  }

  TestDirectory directory_;
  std::string index_ = WriteSmallCorpus(directory_, 5);
};

TEST_F(OutputsTest, WhatIsReadIsNotWritten) {
  const std::string before = ReadBytes(index_);
  fs::create_symlink(index_, directory_ / "link");
  fs::create_hard_link(index_, directory_ / "twin");
  for (const std::string& out :
       {index_, directory_ / "full/../full/index", directory_ / "link", directory_ / "twin"}) {
    ExpectRefused({"replay", index_, "--out", out}, "--out: " + out + " is read by this command (INDEX)");
    ExpectRefused({"jig", index_, "--filter", "/", "--out", out},
                  "--out: " + out + " is read by this command (INDEX)");
    EXPECT_EQ(ReadBytes(index_), before);
  }
  const std::string lines = "a judge=ham class=ham score=-1\nb judge=spam class=spam score=1\n";
  const std::string a = directory_.Write("a", lines);
  const std::string b = directory_.Write("b", lines);
  ExpectRefused({"eval", a, b, "--html", b}, "--html: " + b + " is read by this command (RESULTS)");
  ExpectRefused({"eval", "--header", "X", "--ham", a, "--spam", b, "--html", b},
                "--html: " + b + " is read by this command (--spam)");
  ExpectRefused({"fuse", a, b, "--out", a}, "--out: " + a + " is read by this command (RESULTS)");
  EXPECT_EQ(ReadBytes(a) + ReadBytes(b), lines + lines);
  const std::string config = directory_.Write("config", "preset: default\n");
  ExpectRefused({"export", "--config", config, "--out", config},
                "--out: " + config + " is read by this command (--config)");
  const std::string examples = directory_.Write("examples", "+1 1:1\n-1 2:1\n");
  for (const char* flag : {"--weights", "--resume"}) {
    ExpectRefused({"fit", examples, flag, examples},
                  std::string(flag) + ": " + examples + " is read by this command (INPUT)");
  }
  ExpectRefused({"regret", examples, "--plot", examples},
                "--plot: " + examples + " is read by this command (INPUT)");
}

TEST_F(OutputsTest, NorWhatLiesInAFolderThatIsRead) {
  const std::string mail = directory_.Write("mail/inner/1", "From: a@example.com\n\nx\n");
  fs::create_directory_symlink(directory_ / "mail", directory_ / "way");
  for (const std::string& folder : {directory_ / "mail", directory_ / "way"}) {
    for (const std::string& file : {mail, folder + "/new", directory_ / "mail/inner/../new"}) {
      ExpectRefused({"eval", "--header", "X", "--ham", folder, "--html", file},
                    "--html: " + file + " is in a folder that is read by this command (--ham)");
    }
  }
  EXPECT_FALSE(fs::exists(directory_ / "mail/new"));
  const std::string program = directory_.Write("filter/classify", "a program");
  ExpectRefused({"jig", index_, "--filter", directory_ / "filter", "--out", program},
                "--out: " + program + " is in a folder that is read by this command (--filter)");
  EXPECT_EQ(ReadBytes(program), "a program");
}

TEST_F(OutputsTest, NorAFileOfTheModel) {
  const std::string store = directory_ / "store";
  ASSERT_EQ(RunThresher({"replay", index_, "--store", store}).exit_code, 0);
  const std::string current = store + "/default/db/CURRENT";
  const std::string before = ReadBytes(current);
  const std::string config = directory_.Write("config", "store: {path: " + store + "}\n");
  const std::string why = "--out: " + current + " is in a folder that is read by this command (the model)";
  ExpectRefused({"export", "--store", store, "--out", current}, why);
  ExpectRefused({"export", "--config", config, "--out", current}, why);
  EXPECT_EQ(ReadBytes(current), before);
  EXPECT_EQ(RunThresher({"export", "--store", store, "--out", store + "/export"}).exit_code, 0);
}

TEST_F(OutputsTest, StandardOutputIsAFileToo) {
  const std::string out = directory_ / "out";
  for (const std::string& named : {out, std::string("/dev/fd/1")}) {
    const std::string command =
        std::string(THRESHER_PROGRAM) + " replay " + index_ + " --out " + named + " >" + out + " 2>/dev/null";
    EXPECT_EQ(WEXITSTATUS(std::system(command.c_str())), kUsage) << named;
    EXPECT_EQ(ReadBytes(out), "");
  }
}

TEST_F(OutputsTest, StandardInputIsAFileToo) {
  const std::string lines = "a judge=ham class=ham score=-1\n";
  const std::string results = directory_.Write("results", lines);
  const std::string command =
      std::string(THRESHER_PROGRAM) + " eval --html " + results + " <" + results + " 2>/dev/null";
  EXPECT_EQ(WEXITSTATUS(std::system(command.c_str())), kUsage);
  EXPECT_EQ(ReadBytes(results), lines);
  EXPECT_THAT(RunThresher({"fuse", "-", "-"}, lines).err,
              HasSubstr("RESULTS: standard input is named twice"));
}

// Neither the store nor a folder in it is there yet: a file would stand in its way.
TEST_F(OutputsTest, AFileIsNotMadeWhereAModelWillBe) {
  const std::string store = directory_ / "new/store";
  for (const std::string& file : {store, directory_ / "new"}) {
    ExpectRefused({"replay", index_, "--store", store, "--out", file},
                  "--out: " + file + " is to be a folder that this command uses (the model)");
    EXPECT_FALSE(fs::exists(directory_ / "new"));
  }
}

TEST_F(OutputsTest, TwoOutputsAreTwoFiles) {
  const std::string there = directory_.Write("there", "kept");
  for (const std::string& file : {there, directory_ / "new"}) {
    ExpectRefused({"replay", index_, "--out", file, "--html", file},
                  "--html: " + file + " is written by --out");
    ExpectRefused({"export", "--examples", "vw", "--out", file, "--ids", file},
                  "--ids: " + file + " is written by --out");
    ExpectRefused({"fit", index_, "--weights", file, "--resume", file},
                  "--weights: " + file + " is written by --resume");
  }
  EXPECT_EQ(ReadBytes(there), "kept");
  EXPECT_FALSE(fs::exists(directory_ / "new"));
  fs::create_symlink("new", directory_ / "link");  // to nothing
  ExpectRefused({"replay", index_, "--out", directory_ / "link", "--html", directory_ / "new"},
                "--html: " + (directory_ / "new") + " is written by --out");
}

// One name of a file that is not there yet is from the current folder, the other from the root.
TEST_F(OutputsTest, TwoNamesOfANewFileAreOneFile) {
  const std::string command = "cd " + directory_.path().string() + " && " + THRESHER_PROGRAM + " replay " +
                              index_ + " --out new --html ";
  for (const std::string& name : {std::string("./new"), directory_ / "new"})
    EXPECT_EQ(WEXITSTATUS(std::system((command + name + " 2>/dev/null").c_str())), kUsage) << name;
  EXPECT_FALSE(fs::exists(directory_ / "new"));
}

// A file that is written as a whole takes the place of what is at its name from FILE.new.
TEST_F(OutputsTest, NeitherIsWrittenOnTheWayToTheOther) {
  const std::string file = directory_ / "file";
  const std::string beside = file + ".new";
  ExpectRefused({"export", "--examples", "vw", "--out", file, "--ids", beside},
                "--ids: " + beside + " is written by --out");
  ExpectRefused({"export", "--examples", "vw", "--out", beside, "--ids", file},
                "--ids: " + beside + " is written by --out");
  ExpectRefused({"fit", index_, "--resume", file, "--weights", beside},
                "--weights: " + beside + " is written by --resume");
  directory_.Write("file.new", "+1 1:1\n-1 2:1\n");
  for (const char* const flag : {"--weights", "--resume"}) {
    ExpectRefused({"fit", beside, flag, file},
                  std::string(flag) + ": " + beside + " is read by this command (INPUT)");
  }
  ExpectRefused({"regret", beside, "--plot", file}, "--plot: " + beside + " is read by this command (INPUT)");
  EXPECT_EQ(ReadBytes(beside), "+1 1:1\n-1 2:1\n");
  const std::string relative = "cd " + directory_.path().string() + " && " + THRESHER_PROGRAM +
                               " export --examples vw --out a --ids ./a 2>/dev/null";
  EXPECT_EQ(WEXITSTATUS(std::system(relative.c_str())), kUsage);
}

TEST_F(OutputsTest, TwoKindsOfLinesDoNotMixOnStandardOutput) {
  const std::string store = directory_ / "store";
  ASSERT_EQ(RunThresher({"replay", index_, "--store", store}).exit_code, 0);
  const std::vector<std::string> words = {"export", "--store", store, "--examples", "vw"};
  const auto with = [&](std::vector<std::string> more) {
    more.insert(more.begin(), words.begin(), words.end());
    return more;
  };
  ExpectRefused(with({"--ids", "-"}), "--ids: standard output is written by --out");
  const std::string out = directory_ / "out";
  const std::string ids = directory_ / "ids";
  ASSERT_EQ(RunThresher(with({"--out", out, "--ids", ids})).exit_code, 0);
  EXPECT_EQ(RunThresher(with({"--ids", ids})).out, ReadBytes(out));
  EXPECT_EQ(RunThresher(with({"--out", out, "--ids", "-"})).out, ReadBytes(ids));
  EXPECT_EQ(RunThresher(with({"--out", "/dev/null", "--ids", "/dev/null"})).exit_code, 0);
}

}  // namespace
}  // namespace thresher::pipeline
