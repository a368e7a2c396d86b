#include "pipeline/delivery/isolated.h"

#include <gtest/gtest.h>

#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <thread>

namespace thresher::pipeline {
namespace {

// Whoever waits for the end of the message must not wait for a child that a disk holds.
TEST(IsolatedTest, TheChildHasNoStandardInputAndOutput) {
  const auto answer = RunIsolated(
      []() -> Result<std::string> {
        std::string targets;
        for (const char* end : {"/proc/self/fd/0", "/proc/self/fd/1"})
          targets += std::filesystem::read_symlink(end).string() + " ";
        return targets;
      },
      60, {"worker", "answer"});
  ASSERT_TRUE(answer) << answer.error().message;
  EXPECT_EQ(*answer, "/dev/null /dev/null ");
}

TEST(IsolatedTest, ASlowChildCostsTheAnswer) {
  const auto answer = RunIsolated(
      []() -> Result<std::string> {
        std::this_thread::sleep_for(std::chrono::minutes(1));
        return "late";
      },
      0.05, {"worker", "answer"});
  ASSERT_FALSE(answer);
  EXPECT_EQ(answer.error().message, "no answer within 0.05 seconds");
}

TEST(IsolatedTest, AChildThatAbortsCostsTheAnswer) {
  const auto answer = RunIsolated([]() -> Result<std::string> { std::abort(); }, 60, {"worker", "answer"});
  ASSERT_FALSE(answer);
  EXPECT_EQ(answer.error().message, "the worker died of signal 6");
}

}  // namespace
}  // namespace thresher::pipeline
