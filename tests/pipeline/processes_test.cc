// Many processes on one model: one writes, the next waits its turn, readers never fail.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <chrono>
#include <fstream>
#include <list>
#include <nlohmann/json.hpp>
#include <thread>

#include "tests/pipeline/messages.h"
#include "tests/pipeline/program.h"

namespace thresher::pipeline {
namespace {

using testing::HasSubstr;

class ProcessesTest : public testing::Test {
 protected:
  // A learner that has taken the writer's lock and waits for its second message.
  RunningThresher StartWriter() const {
    EXPECT_EQ(::mkfifo(second_.c_str(), 0600), 0);
    RunningThresher writer(
        {"learn", "--ham", "--store", store_, directory_.Write("first", HamMessage(0)), second_});
    for (int i = 0; i < 1000 && ReadBytes(store_ + "/default/writer").find(std::to_string(writer.pid())) ==
                                    std::string::npos;
         ++i) {
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
    }
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

TEST_F(ProcessesTest, AKilledWriterHoldsNobodyUp) {
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
  RunningThresher waiter({"learn", "--spam", "--store", store_, directory_ / "spam"});
  for (int round = 0; round < 3; ++round) {
    std::list<RunningThresher> filters;
    for (int i = 0; i < 8; ++i) filters.emplace_back(std::vector<std::string>{"filter", "--store", store_});
    int number = 0;
    for (RunningThresher& filter : filters) {
      const std::string message = SpamMessage(1000 + number++);
      const Ran ran = filter.Finish(message);
      EXPECT_EQ(ran.exit_code, 0);
      EXPECT_EQ(ran.err, "");
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

}  // namespace
}  // namespace thresher::pipeline
