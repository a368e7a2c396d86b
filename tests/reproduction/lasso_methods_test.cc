#include "reproduction/lasso_methods.h"

#include <gtest/gtest.h>

#include <cmath>

namespace thresher::reproduction {
namespace {

constexpr std::array<double, 4> kBeta = {0, 2, 0, -1};

// −(gradient of the loss) is (λ/n) sgn β where β is not 0; where β is 0, its magnitude is at most λ/n.
TEST(ExactLasso, MeetsTheOptimalityConditions) {
  const Regression data = SimulateRegression(kBeta, 50, 1, 3);
  for (const double penalty : {0.01, 0.5, 2.0}) {
    const std::vector<double> beta = ExactLasso(data, penalty);
    for (size_t j = 0; j < beta.size(); ++j) {
      double slope = 0;
      for (size_t i = 0; i < data.examples(); ++i) {
        double residual = data.y[i];
        for (size_t k = 0; k < beta.size(); ++k) residual -= beta[k] * data.X(i)[k];
        slope += data.X(i)[j] * residual / 50;
      }
      if (beta[j] == 0) {
        EXPECT_LE(std::abs(slope), penalty + 1e-8);
      } else {
        EXPECT_NEAR(slope, std::copysign(penalty, beta[j]), 1e-8);
      }
    }
  }
}

TEST(OnlineLassoMethods, AllApproachTheExactSolutionWithManyPasses) {
  const Regression data = SimulateRegression(kBeta, 50, 1, 3);
  const std::vector<double> exact = ExactLasso(data, 0.5);
  for (const LassoMethod& method : OnlineLassoMethods()) {
    const std::vector<double> beta = method.run(data, {.penalty = 0.5, .first = 50, .passes = 3000});
    for (size_t j = 0; j < beta.size(); ++j) EXPECT_NEAR(beta[j], exact[j], 0.15) << method.name << " " << j;
  }
}

}  // namespace
}  // namespace thresher::reproduction
