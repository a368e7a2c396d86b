// Which step sizes are tried for several aims, and which one each of them chooses.
#include "reproduction/attempts.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

namespace thresher::reproduction {
namespace {

using learners::Schedule;

constexpr auto kConstantOnly = std::to_array({Schedule::Kind::kConstant});

// Losses after 1, 2 and 3 units of work: long steps are better at first, short ones in the end.
Series LossOf(const Schedule& schedule) {
  const double at = std::log10(schedule.first);
  Series series;
  series.Add(0, 10);
  series.Add(1, 5 + std::abs(at - 2));
  series.Add(2, 3 + std::abs(at - 1));
  series.Add(3, 1 + std::abs(at));
  return series;
}

TEST(Attempts, EachAimHasItsOwnStepSize) {
  const Attempts attempts(kConstantOnly, {1, 1}, {.works = {1, 2.5, 3}, .losses = {6, 1.2}}, LossOf);
  const auto size = [&](size_t number) { return attempts.all()[number].schedule.first; };
  EXPECT_EQ(size(attempts.BestAt(1)), 100);
  EXPECT_EQ(size(attempts.BestAt(2.5)), 10);
  EXPECT_EQ(size(attempts.BestAt(3)), 1);
  EXPECT_EQ(attempts.WorkTo(6), 1);
  EXPECT_EQ(attempts.WorkTo(1.2), 3);
  EXPECT_EQ(size(attempts.FirstAt(1.2)), 1);
  EXPECT_TRUE(std::isnan(attempts.WorkTo(0.5)));
  EXPECT_EQ(attempts.Envelope("").y, (std::vector<double>{10, 5, 3, 1}));
}

// A worse one stands on either side of each choice.
TEST(Attempts, GoOnUntilNoAimHasItsBestAtAnEnd) {
  const Attempts attempts(kConstantOnly, {1, 1}, {.works = {1, 3}}, LossOf);
  double least = 1e9;
  double most = 0;
  for (const Attempt& attempt : attempts.all()) {
    least = std::min(least, attempt.schedule.first);
    most = std::max(most, attempt.schedule.first);
  }
  EXPECT_LT(least, 1);
  EXPECT_EQ(most, 300);
}

TEST(Attempts, TryAllSchedulesAndPassOverWhatDiverges) {
  const auto run = [](const Schedule& schedule) {
    Series series = LossOf(schedule);
    if (schedule.kind != Schedule::Kind::kInverse) series.y.back() = std::nan("");
    return series;
  };
  const Attempts attempts(kAllSchedules, {10, 10}, {.works = {1, 3}}, run);
  EXPECT_EQ(attempts.all()[attempts.BestAt(3)].schedule.kind, Schedule::Kind::kInverse);
}

}  // namespace
}  // namespace thresher::reproduction
