// Many processes on one model: one writes, the next writer waits, readers never fail.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <chrono>
#include <fstream>
#include <list>
#include <nlohmann/json.hpp>
#include <random>
#include <thread>

#include "tests/pipeline/messages.h"
#include "tests/pipeline/program.h"
#include "tests/rounds.h"

namespace thresher::pipeline {
namespace {

using testing::HasSubstr;

class ProcessesTest : public testing::Test {
 protected:
  // A learner that holds the writer's lock and waits for its second message.
  RunningThresher StartWriter() const {
    EXPECT_EQ(::mkfifo(second_.c_str(), 0600), 0);
    RunningThresher writer(
        {"learn", "--ham", "--store", store_, directory_.Write("first", HamMessage(0)), second_});
    while (!ReadBytes(store_ + "/default/writer").starts_with(std::to_string(writer.pid()) + "\n"))
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
    return writer;
  }

  TestDirectory directory_;
  std::string store_ = directory_ / "store";
  std::string second_ = directory_ / "second";
};

TEST_F(ProcessesTest, SecondWriterIsToldWhoHoldsTheStore) {
  RunningThresher writer = StartWriter();
  const Ran second = RunThresher({"learn", "--spam", "--wait", "0", "--store", store_}, SpamMessage(1));
  EXPECT_EQ(second.exit_code, 75);
  EXPECT_THAT(second.err, HasSubstr(std::to_string(writer.pid())));
  std::ofstream(second_) << HamMessage(1);
  EXPECT_EQ(writer.Finish().exit_code, 0);
  EXPECT_EQ(RunThresher({"learn", "--spam", "--wait", "0", "--store", store_}, SpamMessage(1)).exit_code, 0);
}

// Whatever they are to do to the model.
TEST_F(ProcessesTest, AWaitingWriterSaysWhatItWaitsFor) {
  ASSERT_EQ(RunThresher({"learn", "--spam", "--store", store_}, SpamMessage(0)).exit_code, 0);
  RunningThresher writer = StartWriter();
  std::list<RunningThresher> waiters;
  for (std::vector<std::string> words :
       std::vector<std::vector<std::string>>{{"learn", "--spam", directory_.Write("spam", SpamMessage(1))},
                                             {"feedback", "--ham", "--id", "<ham0@example.org>"},
                                             {"forget", "--id", "<nobody@example.org>"},
                                             {"rebuild"},
                                             {"check", "--cut-log"}}) {
    words.insert(words.end(), {"--store", store_, "--set", "store.wait_seconds=600"});
    waiters.emplace_back(words);
  }
  for (const RunningThresher& waiter : waiters) {
    while (waiter.Complaints().find('\n') == std::string::npos)
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
    EXPECT_THAT(waiter.Complaints(),
                testing::AllOf(HasSubstr("is being written to by process " + std::to_string(writer.pid())),
                               HasSubstr("waiting for at most 600 s")));
  }
  std::ofstream(second_) << HamMessage(1);
  EXPECT_EQ(writer.Finish().exit_code, 0);
  for (RunningThresher& waiter : waiters) EXPECT_NE(waiter.Finish().exit_code, 75);
}

TEST_F(ProcessesTest, AKilledWriterBlocksNoOther) {
  RunningThresher writer = StartWriter();
  writer.Kill();
  writer.Finish();
  EXPECT_EQ(RunThresher({"learn", "--spam", "--wait", "5", "--store", store_}, SpamMessage(1)).exit_code, 0);
}

TEST_F(ProcessesTest, EightFiltersALearnerAndAWaiter) {
  ASSERT_EQ(RunThresher({"learn", "--spam", "--store", store_}, SpamMessage(0)).exit_code, 0);
  for (int i = 0; i < 200; ++i) directory_.Write("ham/" + std::to_string(i), HamMessage(i));
  for (int i = 0; i < 50; ++i) directory_.Write("spam/" + std::to_string(i), SpamMessage(i + 1));
  RunningThresher learner({"learn", "--ham", "--store", store_, directory_ / "ham"});
  RunningThresher waiter({"learn", "--spam", "--wait", "600", "--store", store_, directory_ / "spam"});
  for (int round = 0; round < 3; ++round) {
    std::list<RunningThresher> filters;
    for (int i = 0; i < 8; ++i) filters.emplace_back(std::vector<std::string>{"filter", "--store", store_});
    int number = 0;
    for (RunningThresher& filter : filters) {
      const std::string message = SpamMessage(1000 + number++);
      const Ran ran = filter.Finish(message);
      EXPECT_EQ(ran.exit_code, 0);
      // One that keeps the spool for a second costs another one the late feedback.
      EXPECT_THAT(ran.err, testing::AnyOf("", HasSubstr("/.usage is locked by another process")));
      EXPECT_THAT(ran.out, testing::AllOf(HasSubstr(message), testing::Not(HasSubstr("Error"))));
    }
  }
  const Ran learned = learner.Finish();
  EXPECT_EQ(learned.exit_code, 0) << learned.err;
  const Ran waited = waiter.Finish();
  EXPECT_EQ(waited.exit_code, 0) << waited.err;
  const auto stats = nlohmann::json::parse(RunThresher({"stats", "--json", "--store", store_}).out);
  EXPECT_EQ(stats.at("ham"), 200);
  EXPECT_EQ(stats.at("spam"), 51);
}

// At once: six processes learn a message each, four filter, one checks, one backs up; a third is killed.
TEST_F(ProcessesTest, KilledProcessesHarmNoOther) {
  ASSERT_EQ(RunThresher({"learn", "--spam", "--store", store_}, SpamMessage(0)).exit_code, 0);
  std::mt19937 random(5);
  for (int round = 0; round < Rounds(3); ++round) {
    SCOPED_TRACE(round);
    struct Process {
      RunningThresher running;
      std::string message;
      bool killed;
    };
    std::list<Process> learners;
    std::list<Process> filters;
    std::list<Process> others;
    const auto start = [&](std::list<Process>& list, std::vector<std::string> arguments,
                           std::string message) {
      arguments.insert(arguments.end(), {"--store", store_});
      list.push_back({RunningThresher(arguments), std::move(message), random() % 3 == 0});
    };
    for (int i = 0; i < 6; ++i) {
      const int number = 1 + 6 * round + i;
      const std::string message = directory_.Write("mail" + std::to_string(number), HamMessage(number));
      start(learners, {"learn", "--ham", "--wait", "60", message}, message);
    }
    for (int i = 0; i < 4; ++i) start(filters, {"filter"}, SpamMessage(1000 + i));
    start(others, {"check"}, "");
    start(others, {"backup", directory_ / ("backup" + std::to_string(round))}, "");
    for (auto* list : {&learners, &filters, &others}) {
      for (Process& process : *list) {
        if (!process.killed) continue;
        std::this_thread::sleep_for(std::chrono::milliseconds(random() % 10));
        process.running.Kill();
      }
    }
    for (Process& filter : filters) {
      const Ran ran = filter.running.Finish(filter.message);
      if (filter.killed) continue;
      EXPECT_EQ(ran.exit_code, 0);
      EXPECT_THAT(ran.out, testing::AllOf(HasSubstr(filter.message), testing::Not(HasSubstr("Error"))));
    }
    for (Process& other : others) {
      const Ran ran = other.running.Finish();
      EXPECT_TRUE(other.killed || ran.exit_code == 0) << ran.out << ran.err;
    }
    for (Process& learner : learners) {
      const Ran ran = learner.running.Finish();
      if (learner.killed && ran.exit_code != 0) continue;
      EXPECT_EQ(ran.exit_code, 0) << ran.err;
      EXPECT_THAT(RunThresher({"learn", "--ham", "--store", store_, learner.message}).out,
                  HasSubstr("1 known already"));
    }
    const Ran check = RunThresher({"check", "--store", store_});
    EXPECT_EQ(check.exit_code, 0) << check.out << check.err;
  }
}

}  // namespace
}  // namespace thresher::pipeline
