// frank-wolfe, step by step beside its rule written over all coordinates, and what it finds.
#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "tests/learners/batch/solver_cases.h"

namespace thresher::learners::batch {
namespace {

constexpr double kRadius = 1.5;

using Weights = std::vector<double>;

// Logistic loss.
Weights GradientAt(const Examples& examples, const Weights& w) {
  Weights gradient(w.size());
  for (size_t i = 0; i < examples.rows.size(); ++i) {
    const SparseLines::Line x = examples.rows[i];
    const double y = examples.Target(i);
    const double slope = -y / (1 + std::exp(y * Dot(x, w))) / static_cast<double>(examples.rows.size());
    for (size_t k = 0; k < x.size(); ++k) gradient[x.indices[k]] += slope * static_cast<double>(x.values[k]);
  }
  return gradient;
}

// The vertex at which ⟨gradient, v⟩ is least, by trying all of them.
Weights BestVertex(const Weights& gradient) {
  Weights best(gradient.size());
  double least = 0;
  for (size_t j = 0; j < gradient.size(); ++j) {
    for (const double weight : {-kRadius, kRadius}) {
      if (weight * gradient[j] >= least) continue;
      least = weight * gradient[j];
      best.assign(gradient.size(), 0);
      best[j] = weight;
    }
  }
  return best;
}

double CurvatureAlong(const Examples& examples, const Weights& direction) {
  double sum = 0;
  for (size_t i = 0; i < examples.rows.size(); ++i) sum += std::pow(Dot(examples.rows[i], direction), 2);
  return sum / 4 / static_cast<double>(examples.rows.size());
}

void StepByRule(const Examples& examples, bool follows_curvature, int step, Weights& w) {
  const Weights gradient = GradientAt(examples, w);
  const Weights vertex = BestVertex(gradient);
  Weights direction;
  double gap = 0;
  for (size_t j = 0; j < w.size(); ++j) {
    direction.push_back(vertex[j] - w[j]);
    gap -= gradient[j] * direction[j];
  }
  const double share =
      follows_curvature ? std::min(1.0, gap / CurvatureAlong(examples, direction)) : 2.0 / (step + 2);
  for (size_t j = 0; j < w.size(); ++j) w[j] += share * direction[j];
}

TEST(FrankWolfe, TakesTheStepsOfItsRule) {
  for (const char* rule : {"inverse", "curvature"}) {
    const SmallProblem problem = SmallProblem::Random(5, 40, 12);
    const auto solver = Make("frank-wolfe", {{"radius", "1.5"}, {"step", rule}}, problem.View());
    Weights w(12);
    for (int step = 0; step < 60; ++step) {
      solver->Step();
      StepByRule(problem.View(), std::string_view(rule) == "curvature", step, w);
      const Weights ours = WeightsOf(*solver);
      double norm = 0;
      for (size_t j = 0; j < w.size(); ++j) {
        ASSERT_NEAR(ours[j], w[j], 1e-9) << rule << ' ' << step;
        norm += std::abs(ours[j]);
      }
      ASSERT_LE(norm, kRadius * (1 + 1e-12));
    }
  }
}

// Each step adds one feature at most, and both rules approach the minimum that projected gradient finds.
TEST(FrankWolfe, ApproachesTheMinimumOverTheBall) {
  const SmallProblem problem = SmallProblem::Random(6, 40, 12);
  const auto projected = Make("projected-gradient", {{"radius", "1.5"}}, problem.View());
  for (int step = 0; step < 1000 && projected->Report().gap > 1e-9; ++step) projected->Step();
  const double least = projected->Report().primal;
  for (const char* rule : {"inverse", "curvature"}) {
    const auto solver = Make("frank-wolfe", {{"radius", "1.5"}, {"step", rule}}, problem.View());
    for (uint64_t step = 1; step <= 1000; ++step) {
      solver->Step();
      if (step > 5) continue;
      EXPECT_LE(solver->Report().nonzeros, step) << rule;
    }
    EXPECT_GE(solver->Report().primal, least - 1e-8) << rule;
    EXPECT_LE(solver->Report().primal, least + 1e-2) << rule;
  }
}

TEST(FrankWolfe, StartsAtZeroOnly) {
  const SmallProblem problem = SmallProblem::Random(6, 40, 12);
  const auto solver = Make("frank-wolfe", {}, problem.View());
  EXPECT_FALSE(solver->WarmStart(Weights(12, 1e6)));
  EXPECT_EQ(solver->Report().nonzeros, 0U);
}

}  // namespace
}  // namespace thresher::learners::batch
