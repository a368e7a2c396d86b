// DetCD with either curvature, step by step beside the paper's rule written over all coordinates.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "tests/learners/batch/solver_cases.h"

namespace thresher::learners::batch {
namespace {

constexpr double kBeta = 0.25;  // of the logistic loss
constexpr double kL1 = 0.01;

// g_j and Σ x_ij²/m of each coordinate.
struct Slopes {
  std::vector<double> gradient;
  std::vector<double> squares;
  double largest = 0;  // |x_ij|
};

Slopes SlopesAt(const Examples& examples, const std::vector<double>& w) {
  Slopes slopes{std::vector<double>(w.size()), std::vector<double>(w.size())};
  const auto m = static_cast<double>(examples.rows.size());
  for (size_t i = 0; i < examples.rows.size(); ++i) {
    const SparseLines::Line x = examples.rows[i];
    double margin = 0;
    for (size_t k = 0; k < x.size(); ++k) margin += w[x.indices[k]] * static_cast<double>(x.values[k]);
    const double y = examples.targets[i] > 0 ? 1 : -1;
    for (size_t k = 0; k < x.size(); ++k) {
      const auto value = static_cast<double>(x.values[k]);
      slopes.gradient[x.indices[k]] += -y / (1 + std::exp(y * margin)) * value / m;
      slopes.squares[x.indices[k]] += value * value / m;
      slopes.largest = std::max(slopes.largest, std::abs(value));
    }
  }
  return slopes;
}

// Of g d + c d²/2 + λ|w + d|: the d that is least among many, and by how much it falls.
void StepOfPaper(const Examples& examples, bool one_bound, std::vector<double>& w) {
  const Slopes slopes = SlopesAt(examples, w);
  size_t best = 0;
  double best_step = 0;
  double most = 0;
  for (size_t j = 0; j < w.size(); ++j) {
    const double c = kBeta * (one_bound ? slopes.largest * slopes.largest : slopes.squares[j]);
    const double g = slopes.gradient[j];
    for (const double d : {-w[j], -(g + kL1) / c, -(g - kL1) / c}) {
      const double fall = -(g * d + c * d * d / 2 + kL1 * (std::abs(w[j] + d) - std::abs(w[j])));
      if (fall <= most) continue;
      most = fall;
      best = j;
      best_step = d;
    }
  }
  w[best] += best_step;
}

TEST(DetCd, TakesTheStepsOfThePaper) {
  for (const bool one_bound : {false, true}) {
    const SmallProblem problem = SmallProblem::Random(5, 40, 12);
    const auto solver =
        Make("detcd", {{"l1", "0.01"}, {"step", one_bound ? "bound" : "column"}}, problem.View());
    std::vector<double> w(12);
    for (int step = 0; step < 60; ++step) {
      solver->Step();
      StepOfPaper(problem.View(), one_bound, w);
      const std::vector<double> ours = WeightsOf(*solver);
      for (size_t j = 0; j < w.size(); ++j) ASSERT_NEAR(ours[j], w[j], 1e-9) << "step " << step;
    }
    EXPECT_GT(std::ranges::count_if(w, [](double weight) { return weight != 0; }), 2);
  }
}

// Both bounds hold, so both reach the minimum; the tighter one sooner.
TEST(DetCd, ColumnStepsAreLonger) {
  const SmallProblem problem = SmallProblem::Random(5, 40, 12);
  double after[2] = {};
  for (const bool one_bound : {false, true}) {
    const auto solver =
        Make("detcd", {{"l1", "0.01"}, {"step", one_bound ? "bound" : "column"}}, problem.View());
    for (int step = 0; step < 30; ++step) solver->Step();
    after[one_bound ? 1 : 0] = solver->Report().primal;
  }
  EXPECT_LT(after[0], after[1]);
}

}  // namespace
}  // namespace thresher::learners::batch
