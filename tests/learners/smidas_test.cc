// What is particular to smidas: how near the tracked norm stays to the exact one, and norms of large
// dimension.
#include <gtest/gtest.h>

#include <cmath>

#include "learners/registry.h"
#include "learners/shrinkage/tracked_norm.h"
#include "tests/learners/random_stream.h"
#include "tests/learners/test_model.h"

namespace thresher::learners {
namespace {

std::shared_ptr<const Learner> Smidas(OptionValues options, const char* norm_every) {
  options["norm_every"] = norm_every;
  auto learner = MakeLearner("smidas", options);
  EXPECT_TRUE(learner.has_value()) << learner.error();
  return std::move(*learner);
}

// The largest distance of two forms' weights over a stream, against the largest weight.
double LargestDeviation(const OptionValues& options, const char* norm_every) {
  constexpr size_t kDimension = 48;
  TestModel exact(Smidas(options, "0"));
  TestModel tracked(Smidas(options, norm_every));
  RandomStream stream(11, kDimension);
  double worst = 0;
  for (int step = 0; step < 4000; ++step) {
    const Example example = stream.Next();
    const double margin = exact.Score(example);  // the same steps for both
    exact.LearnWithMargin(example, margin);
    tracked.LearnWithMargin(example, margin);
    double largest = 0;
    double distance = 0;
    for (size_t j = 0; j < kDimension; ++j) {
      largest = std::max(largest, std::abs(exact.Weight(j)));
      distance = std::max(distance, std::abs(exact.Weight(j) - tracked.Weight(j)));
    }
    if (largest > 0) worst = std::max(worst, distance / largest);
  }
  return worst;
}

// squared loss, η = 1: a step on x from w = 0 towards y = 1 is θ = x.
TEST(Smidas, OneStepByHand) {
  for (const auto* norm_every : {"0", "1"}) {
    TestModel model(Smidas({{"loss", "squared"}, {"learning_rate", "1"}, {"l1", "0.25"}, {"dimension", "20"}},
                           norm_every));
    model.Learn({.ids = {1, 2, 3}, .values = {1, -0.75, 0.25}, .label = Label::kSpam});
    const double p = 2 * std::log(20.0);
    const double norm = std::pow(std::pow(0.75, p) + std::pow(0.5, p), 1 / p);
    EXPECT_NEAR(model.Weight(1), std::pow(0.75, p - 1) / std::pow(norm, p - 2), 1e-14);
    EXPECT_NEAR(model.Weight(2), -std::pow(0.5, p - 1) / std::pow(norm, p - 2), 1e-14);
    EXPECT_EQ(model.Weight(3), 0);
  }
}

TEST(Smidas, TheTrackedNormStaysNearTheExactOne) {
  for (const auto* dimension : {"3", "100", "1048576"}) {
    const OptionValues options = {{"learning_rate", "0.1"}, {"l1", "0.0001"}, {"dimension", dimension}};
    EXPECT_LT(LargestDeviation(options, "1"), 1e-9) << dimension;
    EXPECT_LT(LargestDeviation(options, "10"), 1e-3) << dimension;
    EXPECT_LT(LargestDeviation(options, "1000"), 0.02) << dimension;
  }
}

TEST(Smidas, LargeDimensionsNeitherOverflowNorVanish) {
  for (const auto* norm_every : {"0", "50"}) {
    for (const auto* rate : {"1e-08", "1000000"}) {
      TestModel model(
          Smidas({{"dimension", "16777216"}, {"learning_rate", rate}, {"l1", "0"}, {"min_gradient", "0"}},
                 norm_every));
      RandomStream stream(2, 48);
      double largest = 0;
      for (int step = 0; step < 300; ++step) {
        model.LearnWithMargin(stream.Next(), 0);
        largest = 0;
        for (size_t j = 0; j < 48; ++j) largest = std::max(largest, std::abs(model.Weight(j)));
        ASSERT_TRUE(std::isfinite(largest));
      }
      EXPECT_GT(largest, 0.01 * std::stod(rate));
    }
  }
}

TEST(TrackedNorm, IsExactAtItsOriginAndNeverTooLargeBeyond) {
  constexpr double kP = 13;
  std::mt19937_64 random(3);
  std::uniform_real_distribution uniform(1.0, 2.0);
  std::vector<double> v(50);
  TrackedNorm tracked;
  for (double& x : v) {
    x = uniform(random);
    tracked.Add(x, kP);
  }
  const auto norm_at = [&](double shift) {
    double sum = 0;
    for (const double x : v) sum += std::pow(std::max(x - shift, 0.0), kP);
    return std::pow(sum, 1 / kP);
  };
  EXPECT_NEAR(tracked.AtOrigin(kP), norm_at(0), 1e-14);
  EXPECT_EQ(tracked.Shrinkage(0, kP), 0);
  for (int doublings = 0; doublings < 10; ++doublings) {
    const double shift = std::ldexp(0.001, doublings);
    const double estimate = tracked.AtOrigin(kP) - tracked.Shrinkage(shift, kP);
    EXPECT_LT(estimate, norm_at(shift));
    EXPECT_NEAR(estimate, norm_at(shift), kP * shift * shift);
  }
}

}  // namespace
}  // namespace thresher::learners
