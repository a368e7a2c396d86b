// The three projections onto the ℓ1-ball agree with each other and with what defines them.
#include "learners/magnitudes/ball_threshold.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <random>
#include <vector>

#include "learners/magnitudes/magnitude_runs.h"
#include "learners/magnitudes/magnitude_tree.h"

namespace thresher::learners {
namespace {

std::vector<MagnitudeRun> RunsOf(std::vector<double> magnitudes) {
  std::ranges::sort(magnitudes, std::greater());
  std::vector<MagnitudeRun> runs;
  for (const double u : magnitudes) {
    if (u == 0) break;
    if (runs.empty() || runs.back().value != u) runs.push_back({.value = u});
    ++runs.back().copies;
  }
  return runs;
}

double ByTree(const std::vector<double>& magnitudes, double radius) {
  MagnitudeTree tree;
  tree.Assign(RunsOf(magnitudes));
  return tree.Threshold(0, radius);
}

double ByRuns(const std::vector<double>& magnitudes, double radius) {
  MagnitudeRuns runs;
  runs.Assign(RunsOf(magnitudes));
  return runs.Threshold(0, radius);
}

// As Duchi et al.'s Fig. 1 has it.
double BySorting(std::vector<double> magnitudes, double radius) {
  std::ranges::sort(magnitudes, std::greater());
  long double sum = 0;
  long double threshold = 0;
  for (size_t i = 0; i < magnitudes.size(); ++i) {
    sum += magnitudes[i];
    const long double next = (sum - radius) / static_cast<long double>(i + 1);
    if (magnitudes[i] <= next) break;
    threshold = next;
  }
  return static_cast<double>(std::max(threshold, 0.0L));
}
// `magnitudes` by value: the function puts them into another order.
double ByPivots(std::vector<double> magnitudes, double radius) { return BallThreshold(magnitudes, radius); }

void ExpectAgreement(const std::vector<double>& magnitudes, double radius) {
  SCOPED_TRACE(testing::Message() << magnitudes.size() << " numbers, radius " << radius);
  const double largest = magnitudes.empty() ? 0 : std::ranges::max(magnitudes);
  const double theta = BySorting(magnitudes, radius);
  EXPECT_NEAR(ByPivots(magnitudes, radius), theta, 1e-12 * largest);
  EXPECT_NEAR(ByTree(magnitudes, radius), theta, 1e-12 * largest);
  EXPECT_NEAR(ByRuns(magnitudes, radius), theta, 1e-12 * largest);

  // What it is: the least shrinkage that leaves no more than the radius.
  double before = 0;
  double after = 0;
  for (const double u : magnitudes) {
    before += u;
    after += std::max(u - theta, 0.0);
  }
  EXPECT_NEAR(after, std::min(before, radius), 1e-12 * std::max(before, radius));
  EXPECT_TRUE(theta == 0 || before > radius * (1 - 1e-12));
}

// Radii from far inside to far outside the vector's own norm, and the norm itself.
void ExpectAgreementForManyRadii(const std::vector<double>& magnitudes) {
  double norm = 0;
  for (const double u : magnitudes) norm += u;
  for (const double share : {1e-6, 0.01, 0.3, 0.999, 1.0, 1.001, 50.0}) {
    ExpectAgreement(magnitudes, norm > 0 ? share * norm : share);
  }
}

TEST(BallThreshold, RandomVectors) {
  std::mt19937_64 random(1);
  std::normal_distribution normal;
  std::cauchy_distribution cauchy;
  for (int draw = 0; draw < 300; ++draw) {
    std::vector<double> magnitudes(1 + random() % 200);
    for (double& u : magnitudes) {
      const bool zero = random() % 4 == 0;
      u = zero ? 0 : std::abs(draw % 2 == 0 ? normal(random) : cauchy(random));
    }
    ExpectAgreementForManyRadii(magnitudes);
  }
}

TEST(BallThreshold, TiesZerosAndFewElements) {
  ExpectAgreement({}, 1);
  ExpectAgreementForManyRadii({0});
  ExpectAgreementForManyRadii({3.7});
  ExpectAgreementForManyRadii({0, 0, 0, 2});
  ExpectAgreementForManyRadii(std::vector<double>(1000, 0.0));
  ExpectAgreementForManyRadii(std::vector<double>(1000, 0.1));  // also: no quadratic time on ties
  std::vector<double> steps;
  steps.reserve(1000);
  for (int i = 0; i < 1000; ++i) steps.push_back(i / 100);  // NOLINT(bugprone-integer-division): ties
  ExpectAgreementForManyRadii(steps);
}

TEST(BallThreshold, NumbersOfEverySize) {
  std::vector<double> powers;
  powers.reserve(2000);
  for (int exponent = -1000; exponent <= 900; ++exponent) powers.push_back(std::ldexp(1.0, exponent));
  ExpectAgreementForManyRadii(powers);
  ExpectAgreementForManyRadii({1e300, 1e300, 1e-300});
  ExpectAgreementForManyRadii({1, std::nextafter(1.0, 2), std::nextafter(1.0, 0)});
  // A pivot may stand anywhere: sorted either way, too.
  ExpectAgreementForManyRadii({powers.rbegin(), powers.rend()});
}

// Sums of large numbers hide a small radius in their rounding.
TEST(BallThreshold, ATinyRadius) {
  std::mt19937_64 random(3);
  std::exponential_distribution exponential;
  for (int draw = 0; draw < 500; ++draw) {
    const double largest = exponential(random);
    std::vector<double> magnitudes(1 + random() % 20, largest);
    for (double& u : magnitudes) u = random() % 3 == 0 ? u * 0.5 : u;
    magnitudes[random() % magnitudes.size()] = largest;
    for (const double share : {1e-13, 1e-15, 1e-17, 1e-30}) {
      EXPECT_NEAR(ByPivots(magnitudes, share * largest), largest, 1e-12 * largest) << share;
    }
  }
}

TEST(BallThreshold, AMillionNumbers) {
  std::mt19937_64 random(2);
  std::exponential_distribution exponential;
  std::vector<double> magnitudes(1'000'000);
  for (double& u : magnitudes) u = exponential(random);
  ExpectAgreement(magnitudes, 100);
  ExpectAgreement(magnitudes, 5e5);
  ExpectAgreement(std::vector<double>(1'000'000, 0.1), 10);
}

}  // namespace
}  // namespace thresher::learners
