// What the outer loop adds to dual ascent: fewer passes where l2 is small, and nothing where κ is 0.
#include <gtest/gtest.h>

#include <cmath>

#include "tests/learners/batch/small_problem.h"
#include "tests/learners/batch/solver_cases.h"

namespace thresher::learners::batch {
namespace {

constexpr double kAcceleratedGap = 1e-7;

// The last report of a run to that gap.
Progress Solved(std::string_view name, const OptionValues& options, const SmallProblem& problem) {
  const auto solver = Make(name, options, problem.View());
  Progress now = solver->Report();
  for (int epoch = 0; epoch < 20000 && now.gap > kAcceleratedGap; ++epoch) {
    solver->Step();
    now = solver->Report();
  }
  return now;
}

TEST(AcceleratedSdca, ReachesTheSameMinimumInFewerPassesWhereL2IsSmall) {
  const SmallProblem problem = SmallProblem::Random(11, 60, 20);
  for (const char* loss : {"logistic", "squared", "smoothed-hinge"}) {
    for (const char* l1 : {"0", "0.001"}) {
      const OptionValues options = {{"loss", loss}, {"l1", l1}, {"l2", "0.001"}};
      const Progress plain = Solved("sdca", options, problem);
      const Progress accelerated = Solved("accelerated-sdca", options, problem);
      EXPECT_LE(plain.gap, kAcceleratedGap) << loss;
      EXPECT_LE(accelerated.gap, kAcceleratedGap) << loss;
      EXPECT_NEAR(accelerated.primal, plain.primal, kAcceleratedGap) << loss;
      EXPECT_LT(accelerated.passes, plain.passes / 2) << loss << ' ' << l1;
    }
  }
}

// Without the proximal term each problem is the objective itself, and the steps are those of sdca.
TEST(AcceleratedSdca, WithoutProximityIsPlainAscent) {
  const SmallProblem problem = SmallProblem::Random(12, 60, 20);
  const OptionValues options = {{"l2", "0.001"}, {"l1", "0.01"}};
  OptionValues without = options;
  without["proximity"] = "0";
  const auto plain = Make("sdca", options, problem.View());
  const auto accelerated = Make("accelerated-sdca", without, problem.View());
  for (int epoch = 0; epoch < 20; ++epoch) {
    plain->Step();
    accelerated->Step();
    ASSERT_EQ(WeightsOf(*plain), WeightsOf(*accelerated)) << epoch;
  }
  EXPECT_NEAR(plain->Report().gap, accelerated->Report().gap, 1e-12);
}

}  // namespace
}  // namespace thresher::learners::batch
