#include "pipeline/serve/line_rate.h"

#include <gtest/gtest.h>

namespace thresher::pipeline {
namespace {

TEST(LineRateTest, WritesSoManyAMinuteAndCountsTheOthers) {
  LineRate rate;
  const LineRate::Clock::time_point begin = LineRate::Clock::now();
  uint64_t lines = 0;
  for (int i = 0; i < 1000; ++i) lines += rate.Allow(begin).has_value() ? 1U : 0U;
  EXPECT_EQ(lines, LineRate::kLinesAMinute);
  EXPECT_FALSE(rate.Allow(begin + std::chrono::seconds(59)).has_value());
  EXPECT_EQ(rate.Allow(begin + std::chrono::seconds(60)), 1001 - LineRate::kLinesAMinute);
  EXPECT_EQ(rate.Allow(begin + std::chrono::seconds(60)), 0U);
}

}  // namespace
}  // namespace thresher::pipeline
