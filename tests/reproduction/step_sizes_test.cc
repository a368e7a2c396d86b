// Which step sizes are tried, and which one is chosen.
#include "reproduction/step_sizes.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

namespace thresher::reproduction {
namespace {

TEST(StepSizes, AreOneAndThreeOfEachPowerOfTen) {
  const std::vector<double> sizes = {0.003, 0.01, 0.03, 0.1, 0.3, 1, 3, 10, 30};
  for (size_t i = 0; i < sizes.size(); ++i) {
    const int k = static_cast<int>(i) - 5;
    EXPECT_EQ(StepSize(k), sizes[i]);
    EXPECT_EQ(NumberOfStepSize(sizes[i]), k);
  }
}

// Tries step sizes, which are also their own results, and records them in `tried`.
template <class Loss>
double Best(const StepSizes& range, Loss loss, std::vector<double>* tried) {
  const auto run = [&](double size) {
    tried->push_back(size);
    return size;
  };
  const Tuned<double> best = BestOfStepSizes(range, run, loss);
  EXPECT_EQ(best.result, best.step_size);
  return best.step_size;
}

TEST(BestOfStepSizes, GoesOnWhileTheBestIsAtAnEnd) {
  const auto loss = [](double size) { return std::abs(std::log10(size / 100)); };
  std::vector<double> tried;
  EXPECT_EQ(Best({1, 3}, loss, &tried), 100);
  EXPECT_EQ(tried, (std::vector<double>{1, 3, 10, 30, 100, 300}));
  tried.clear();
  EXPECT_EQ(Best({1000, 1000}, loss, &tried), 100);
  EXPECT_EQ(tried, (std::vector<double>{1000, 300, 100, 30}));
  tried.clear();
  EXPECT_EQ(Best({30, 300}, loss, &tried), 100);
  EXPECT_EQ(tried, (std::vector<double>{30, 100, 300}));
}

TEST(BestOfStepSizes, SkipsStepSizesThatDiverge) {
  const auto loss = [](double size) { return size > 0.2 ? std::nan("") : 1 / size; };
  std::vector<double> tried;
  EXPECT_EQ(Best({1, 3}, loss, &tried), 0.1);
  EXPECT_EQ(tried, (std::vector<double>{1, 3, 0.3, 0.1, 0.03}));
}

TEST(BestOfStepSizes, EndsIfAllAreEqualOrAllDiverge) {
  std::vector<double> tried;
  EXPECT_EQ(Best(
                {1, 3}, [](double) { return 1.0; }, &tried),
            1);
  EXPECT_EQ(tried, (std::vector<double>{1, 3, 0.3}));
  tried.clear();
  EXPECT_EQ(Best(
                {1, 1}, [](double) { return std::nan(""); }, &tried),
            1e-9);
}

// The least loss is that of a constant step; then of 1/t; the search of a schedule goes on beyond its first
// sizes.
TEST(BestOfSchedules, TriesAllOfThem) {
  using learners::Schedule;
  for (const auto wanted :
       {Schedule::Kind::kConstant, Schedule::Kind::kInverseSqrt, Schedule::Kind::kInverse}) {
    const auto run = [](const Schedule& schedule) { return schedule; };
    const auto loss = [&](const Schedule& schedule) {
      return (schedule.kind == wanted ? 0 : 1) + std::abs(std::log10(schedule.first / 100));
    };
    const auto best = BestOfSchedules({1, 3}, run, loss);
    EXPECT_EQ(best.kind, wanted);
    EXPECT_EQ(best.tuned.step_size, 100);
    EXPECT_EQ(best.tuned.result.first, 100);
  }
}

TEST(BestOfSchedules, NamesTheRatesOfALearnersOption) {
  using learners::Schedule;
  for (const auto kind :
       {Schedule::Kind::kConstant, Schedule::Kind::kInverseSqrt, Schedule::Kind::kInverse}) {
    const double rate = Schedule{.kind = kind, .first = 5}.Rate(9);
    EXPECT_NEAR(rate, 5 / std::pow(10, ExponentOf(kind)), 1e-12) << NameOf(kind);
  }
}

}  // namespace
}  // namespace thresher::reproduction
