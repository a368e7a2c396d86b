// multiclass-sdca with costs: the objective as it stands in the paper, and that nothing near is lower.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <vector>

#include "tests/learners/batch/small_problem.h"
#include "tests/learners/batch/solver_cases.h"

namespace thresher::learners::batch {
namespace {

constexpr size_t kClasses = 3;
constexpr double kCostsL2 = 0.05;
constexpr double kCostsL1 = 0.01;

double NaiveObjective(const Examples& examples, const std::vector<double>& costs,
                      const std::vector<double>& w) {
  double sum = 0;
  for (size_t i = 0; i < examples.rows.size(); ++i) {
    std::vector<double> margins(kClasses);
    const SparseLines::Line x = examples.rows[i];
    for (size_t k = 0; k < x.size(); ++k) {
      for (size_t c = 0; c < kClasses; ++c) {
        margins[c] += w[x.indices[k] * kClasses + c] * static_cast<double>(x.values[k]);
      }
    }
    const auto right = static_cast<size_t>(examples.targets[i]);
    double worst = 0;
    for (size_t c = 0; c < kClasses; ++c) {
      worst = std::max(worst, costs[right * kClasses + c] + margins[c] - margins[right]);
    }
    sum += worst / static_cast<double>(examples.rows.size());
  }
  for (const double weight : w) sum += kCostsL2 / 2 * weight * weight + kCostsL1 * std::abs(weight);
  return sum;
}

TEST(MulticlassCosts, TheMinimumIsThatOfThePapersObjective) {
  const SmallProblem problem = SmallProblem::Random(7, 60, 8, kClasses);
  Examples examples = problem.View();
  std::mt19937_64 random(3);
  std::normal_distribution normal(0.0, 0.05);
  for (const std::vector<double>& costs : {std::vector<double>{0, 1, 1, 1, 0, 1, 1, 1, 0},
                                           {0, 10, .5, 3, 0, 0, 1, 7, 0},
                                           std::vector<double>(9)}) {
    examples.costs = costs;
    const auto solver = Make("multiclass-sdca", {{"l1", "0.01"}, {"l2", "0.05"}}, examples);
    for (int epoch = 0; epoch < 4000 && solver->Report().gap > 1e-7; ++epoch) solver->Step();
    const Progress end = solver->Report();
    EXPECT_LE(end.gap, 1e-7);
    const std::vector<double> w = WeightsOf(*solver);
    EXPECT_NEAR(end.primal, NaiveObjective(examples, costs, w), 1e-12);
    for (int draw = 0; draw < 200; ++draw) {
      std::vector<double> near = w;
      for (double& weight : near) weight += random() % 4 == 0 ? normal(random) : 0;
      EXPECT_GE(NaiveObjective(examples, costs, near), end.primal - end.gap);
    }
  }
}

TEST(MulticlassCosts, WithoutCostsAllMistakesCostOne) {
  const SmallProblem problem = SmallProblem::Random(7, 60, 8, kClasses);
  Examples examples = problem.View();
  const auto plain = Make("multiclass-sdca", {}, examples);
  const std::vector<double> ones = {0, 1, 1, 1, 0, 1, 1, 1, 0};
  examples.costs = ones;
  const auto same = Make("multiclass-sdca", {}, examples);
  for (int epoch = 0; epoch < 10; ++epoch) {
    plain->Step();
    same->Step();
  }
  EXPECT_EQ(WeightsOf(*plain), WeightsOf(*same));
  EXPECT_EQ(plain->Report().gap, same->Report().gap);
}

// Rows without features count with their largest cost.
TEST(MulticlassCosts, AnEmptyRowHasItsLargestCost) {
  const SmallProblem problem({{}, {{0, 1.0F}}}, {0, 1}, 1, kClasses);
  Examples examples = problem.View();
  const std::vector<double> costs = {0, 2, 6, 1, 0, 1, 1, 1, 0};
  examples.costs = costs;
  const auto solver = Make("multiclass-sdca", {{"l2", "1e-6"}}, examples);
  for (int epoch = 0; epoch < 200; ++epoch) solver->Step();
  EXPECT_NEAR(solver->Report().primal, 3, 1e-4);
  EXPECT_LE(solver->Report().gap, 1e-6);
}

}  // namespace
}  // namespace thresher::learners::batch
