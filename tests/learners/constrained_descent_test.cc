// Interior-point steps with constraints of any form.
#include "learners/interior/constrained_descent.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>

#include "learners/interior/dense_state.h"

namespace thresher::learners {
namespace {

// x_j ≥ 0
class Bounds final : public Constraints {
 public:
  explicit Bounds(size_t count) : count_(count) {}
  size_t count() const override { return count_; }
  double Value(size_t i, std::span<const double> x) const override { return -x[i]; }
  void Gradient(size_t i, std::span<const double> /*x*/, std::span<double> gradient) const override {
    std::ranges::fill(gradient, 0);
    gradient[i] = -1;
  }
  void AddCurvature(size_t /*i*/, std::span<const double> /*x*/, double /*factor*/,
                    std::span<double> /*matrix*/) const override {}

 private:
  size_t count_;
};

// ½‖x‖² ≤ ½
class Ball final : public Constraints {
 public:
  size_t count() const override { return 1; }
  double Value(size_t /*i*/, std::span<const double> x) const override {
    double sum = -0.5;
    for (const double each : x) sum += each * each / 2;
    return sum;
  }
  void Gradient(size_t /*i*/, std::span<const double> x, std::span<double> gradient) const override {
    std::ranges::copy(x, gradient.begin());
  }
  void AddCurvature(size_t /*i*/, std::span<const double> x, double factor,
                    std::span<double> matrix) const override {
    for (size_t j = 0; j < x.size(); ++j) matrix[j * x.size() + j] += factor;
  }
};

// The variables are b⁺ and b⁻ of each weight, one after the other.
TEST(ConstrainedDescent, WithBoundsIsTheDeltaRule) {
  constexpr size_t kFeatures = 5;
  constexpr double kPenalty = 0.3;
  const Bounds bounds(2 * kFeatures);
  ConstrainedDescent general(bounds, std::vector<double>(2 * kFeatures, 1), 1);
  DenseState special(kFeatures);
  std::mt19937_64 random(1);
  std::normal_distribution<double> normal(0, 0.5);
  std::vector<double> descent(kFeatures);
  std::vector<double> gradient(2 * kFeatures);
  for (int step = 0; step < 100; ++step) {
    for (size_t j = 0; j < kFeatures; ++j) {
      descent[j] = normal(random);
      gradient[2 * j] = kPenalty - descent[j];
      gradient[2 * j + 1] = kPenalty + descent[j];
    }
    special.TakeStep(descent, kPenalty, 0.05, 0.5);
    EXPECT_GT(general.Step(gradient, 0.05, 0.5), 0);
    for (size_t j = 0; j < kFeatures; ++j) {
      for (size_t side = 0; side < 2; ++side) {
        const BoundedVariable& expected = special.coordinates[j].sides[side];
        EXPECT_NEAR(general.x()[2 * j + side], expected.b, 1e-10) << step;
        EXPECT_NEAR(general.z()[2 * j + side], expected.z, 1e-10) << step;
      }
    }
  }
}

// Also where the gradients are noise a thousand times as long as the ball is wide. That drives x so near the
// bound that rounding leaves no step in most directions.
TEST(ConstrainedDescent, IsStrictlyInsideAtEveryStep) {
  const Ball ball;
  for (const double scale : {1.0, 1000.0}) {
    ConstrainedDescent descent(ball, {0, 0, 0}, 1);
    std::mt19937_64 random(2);
    std::normal_distribution<double> normal(0, scale);
    int taken = 0;
    for (int step = 0; step < 1000; ++step) {
      std::vector<double> gradient;
      for (size_t j = 0; j < 3; ++j) gradient.push_back(descent.x()[j] - normal(random) - 1);
      taken += descent.Step(gradient, 0.5, 0.5) > 0 ? 1 : 0;
      ASSERT_LT(ball.Value(0, descent.x()), 0) << step;
      ASSERT_GT(descent.z()[0], 0) << step;
    }
    EXPECT_GE(taken, scale == 1 ? 1000 : 1) << scale;
  }
}

// Without noise the way ends at the solution, the nearest point of the ball, and at its multiplier.
TEST(ConstrainedDescent, EndsAtTheSolutionAndItsMultiplier) {
  const Ball ball;
  ConstrainedDescent descent(ball, {0, 0}, 1);
  for (int step = 0; step < 100; ++step) {
    descent.Step(std::vector{descent.x()[0] - 3, descent.x()[1] - 4}, 0.9, 0.1);
  }
  EXPECT_NEAR(descent.x()[0], 0.6, 1e-9);
  EXPECT_NEAR(descent.x()[1], 0.8, 1e-9);
  EXPECT_NEAR(descent.z()[0], 4, 1e-8);  // x + z x = (3, 4)
}

// Sec. 4.2 of the paper: from a point of the noisy central path θ(μ, ε), a whole step towards another one
// follows the tangent of the path, so that it misses by the square of the distance. Here f = ½(x − ξ)² and
// x ≥ 0, where the path is known: x − ξ = z, x z = μ.
TEST(ConstrainedDescent, AWholeStepFollowsTheTangentOfTheNoisyCentralPath) {
  const Bounds bounds(1);
  const auto on_path = [](double mu, double xi) { return (xi + std::sqrt(xi * xi + 4 * mu)) / 2; };
  const auto miss = [&](double share) {
    const double mu = 1 - 0.5 * share;
    const double xi = 0.25 + 0.5 * share;
    const double from = on_path(1, 0.25);
    ConstrainedDescent descent(bounds, {from}, 1 / from);
    EXPECT_EQ(descent.Step(std::vector{from - xi}, 1, mu), 1);
    return std::hypot(descent.x()[0] - on_path(mu, xi), descent.z()[0] - mu / on_path(mu, xi));
  };
  EXPECT_NEAR(miss(0.2) / miss(0.1), 4, 0.3);
  EXPECT_NEAR(miss(0.02) / miss(0.01), 4, 0.03);
}

}  // namespace
}  // namespace thresher::learners
