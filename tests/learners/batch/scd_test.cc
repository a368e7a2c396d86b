// Stochastic coordinate descent where the derivatives of a column are rounded to 1, or are too small for a
// double.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tests/learners/batch/solver_cases.h"

namespace thresher::learners::batch {
namespace {

// From `start`, the least objective within `epochs`.
void ExpectLeastFrom(const std::vector<double>& start, const SmallProblem& problem, double l1, int epochs) {
  const double least = NaiveMinimum(problem.View(), {.loss = {}, .l1 = l1, .l2 = 0});
  for (const char* form : {"signed", "split"}) {
    SCOPED_TRACE(form);
    const auto solver = Make("scd", {{"l1", std::to_string(l1)}, {"form", form}}, problem.View());
    solver->WarmStart(start);
    for (int epoch = 0; epoch < epochs; ++epoch) solver->Step();
    EXPECT_NEAR(solver->Report().primal, least, 0.01 * least);
  }
}

TEST(Scd, AWeightMovesWhoseExamplesAreAllFarOnTheWrongSide) {
  std::vector<SparseRow> rows(30, {{0, 1.0F}});
  std::vector<float> targets(30, 1);
  rows.push_back({{0, 100.0F}, {1, 1.0F}});
  targets.push_back(-1);
  ExpectLeastFrom({0, 0}, {rows, targets, 2}, 1e-4, 2000);
  ExpectLeastFrom({5, 0}, {rows, targets, 2}, 1e-4, 2000);
}

TEST(Scd, AWeightMovesWhoseExamplesAreAllTooFarOnTheRightSide) {
  ExpectLeastFrom({1000}, {{{{0, 1.0F}}, {{0, 2.0F}}}, {1, 1}, 1}, 0.1, 40);
}

// The second derivative of the one is rounded to 0. That of the other is above 0, but too small to divide by.
TEST(Scd, AWeightMovesWhoseExamplesAreFarOnBothSides) {
  ExpectLeastFrom({740}, {{{{0, 1.0F}}, {{0, -60.0F}}}, {1, 1}, 1}, 12, 10000);
}

}  // namespace
}  // namespace thresher::learners::batch
