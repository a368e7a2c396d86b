// Many messages in one process: the answers come in the order of the messages, whatever the number of
// threads.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <sstream>
#include <string>
#include <vector>

#include "tests/pipeline/messages.h"
#include "tests/pipeline/program.h"

namespace thresher::pipeline {
namespace {

using ::testing::HasSubstr;

class ClassifyCommand : public ::testing::Test {
 protected:
  static constexpr int kMessages = 200;  // more than are prepared ahead

  ClassifyCommand() {
    for (int i = 0; i < 60; ++i)
      directory_.Write((i % 3 == 0 ? "spam/" : "ham/") + std::to_string(i), MessageNumber(i));
    RunThresher({"learn", "--spam", directory_ / "spam", "--ham", directory_ / "ham", "--store", store_});
  }

  Ran Classify(std::vector<std::string> words, const std::string& input = "") const {
    words.insert(words.begin(), {"classify", "--store", store_});
    return RunThresher(words, input);
  }

  TestDirectory directory_;
  std::string store_ = directory_ / "store";
};

TEST_F(ClassifyCommand, ManyGetTheAnswersOfEachAloneInOrder) {
  std::vector<std::string> paths;
  for (int i = 0; i < kMessages; ++i)
    paths.push_back(directory_.Write("new/" + std::to_string(i), MessageNumber(i + 50)));
  paths.insert(paths.begin() + 3, directory_ / "missing");
  std::string expected;
  for (size_t i = 0; i < paths.size(); i += 29) expected += Classify({paths[i]}).out;
  std::string first;
  for (const char* const threads : {"1", "2", "5"}) {
    std::vector<std::string> words = paths;
    words.insert(words.end(), {"--threads", threads});
    const Ran ran = Classify(words);
    EXPECT_EQ(ran.exit_code, 3) << "one is missing";
    EXPECT_THAT(ran.err, HasSubstr("missing"));
    if (first.empty()) first = ran.out;
    EXPECT_EQ(ran.out, first) << threads;
  }
  std::string some;
  std::istringstream lines(first);
  paths.erase(paths.begin() + 3);
  for (size_t i = 0; i < paths.size(); ++i) {
    std::string line;
    ASSERT_TRUE(std::getline(lines, line)) << i;
    EXPECT_TRUE(line.ends_with(" " + paths[i])) << line;
    if (i == 0 || i % 29 == 28) some += line + "\n";
  }
  EXPECT_EQ(some, expected);
}

TEST_F(ClassifyCommand, OneMailboxIsAnsweredInOrder) {
  std::string mbox;
  for (int i = 0; i < kMessages; ++i)
    mbox += "From a@b.example Fri Jul  8 12:08:34 2011\n" + MessageNumber(i) + "\n";
  const Ran whole = Classify({"--json", "-", "--threads", "4"}, mbox);
  EXPECT_EQ(whole.exit_code, 0);
  EXPECT_EQ(std::ranges::count(whole.out, '\n'), kMessages);
  EXPECT_EQ(Classify({"--json", "-", "--threads", "1"}, mbox).out, whole.out);
}

// Feedback by the Message-ID would say only later that nothing is known of the message.
TEST_F(ClassifyCommand, WhatTheSpoolCannotKeepIsSaid) {
  const Ran large =
      RunThresher({"filter", "--store", store_, "--set", "spool.max_message_bytes=1000"}, HamMessage(200));
  EXPECT_THAT(large.err, HasSubstr("not kept for late feedback: "));
  EXPECT_THAT(large.err, HasSubstr(" bytes are too much for the spool\n"));
  EXPECT_EQ(RunThresher({"filter", "--store", store_}, HamMessage(201)).err, "");
  std::filesystem::remove_all(store_ + "/default/spool");
  directory_.Write("store/default/spool", "a file where the folder should be");
  const Ran filtered = RunThresher({"filter", "--store", store_}, HamMessage(202));
  EXPECT_EQ(filtered.exit_code, 0);
  EXPECT_THAT(filtered.out, testing::StartsWith("X-Thresher: Ham"));
  EXPECT_THAT(filtered.err, HasSubstr("not kept for late feedback: "));
  EXPECT_EQ(std::ranges::count(filtered.err, '\n'), 1);
  const Ran several = Classify({directory_ / "spam"});
  EXPECT_EQ(several.exit_code, 0);
  EXPECT_THAT(several.err, HasSubstr("spam/0: not kept for late feedback: "));
  EXPECT_THAT(several.err, HasSubstr("17 more: not kept for late feedback (--verbose names them)\n"));
  EXPECT_EQ(std::ranges::count(several.err, '\n'), 4);
  EXPECT_EQ(Classify({"--set", "spool.enabled=false", directory_ / "spam"}).err, "");
}

}  // namespace
}  // namespace thresher::pipeline
