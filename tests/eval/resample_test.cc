#include "eval/resample.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

namespace thresher::eval {
namespace {

// Means, variances and covariances of a multinomial, for cells that are drawn at once and one by one.
TEST(Resampler, DrawsAMultinomial) {
  const std::vector<uint64_t> sizes = {1, 400, 0, 5, 33, 60, 1};
  const auto total = double(std::accumulate(sizes.begin(), sizes.end(), uint64_t{0}));
  Resampler resampler(sizes);
  Random random(1);
  constexpr int kRounds = 20000;
  std::vector<double> sums(sizes.size());
  std::vector<std::vector<double>> products(sizes.size(), std::vector<double>(sizes.size()));
  for (int round = 0; round < kRounds; ++round) {
    const std::vector<uint64_t>& times = resampler.Draw(random);
    ASSERT_EQ(double(std::accumulate(times.begin(), times.end(), uint64_t{0})), total);
    for (size_t i = 0; i < sizes.size(); ++i) {
      sums[i] += double(times[i]);
      for (size_t j = 0; j < sizes.size(); ++j) products[i][j] += double(times[i]) * double(times[j]);
    }
  }
  for (size_t i = 0; i < sizes.size(); ++i) {
    EXPECT_NEAR(sums[i] / kRounds, double(sizes[i]), 0.03 * double(sizes[i])) << i;
    for (size_t j = 0; j < sizes.size(); ++j) {
      const double covariance = products[i][j] / kRounds - sums[i] / kRounds * sums[j] / kRounds;
      const double expected = (i == j ? double(sizes[i]) : 0) - double(sizes[i]) * double(sizes[j]) / total;
      EXPECT_NEAR(covariance, expected, 0.06 * std::sqrt(double(sizes[i]) * double(sizes[j])))
          << i << ' ' << j;
    }
  }
}

TEST(Resampler, OfNothingDrawsNothing) {
  Random random(1);
  EXPECT_TRUE(Resampler({}).Draw(random).empty());
}

TEST(MiddleOf, LeavesTwoAndAHalfPercentOnEachSide) {
  std::vector<double> values(1001);
  std::iota(values.rbegin(), values.rend(), 0);
  const auto [low, high] = MiddleOf(values);
  EXPECT_EQ(low, 25);
  EXPECT_EQ(high, 975);
}

}  // namespace
}  // namespace thresher::eval
