// The projection onto the simplex agrees with sorting, and with what defines it.
#include "learners/magnitudes/simplex.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>
#include <random>
#include <vector>

namespace thresher::learners {
namespace {

using Vector = std::vector<double>;

double LargestMagnitudeOf(const Vector& v) {
  double largest = 0;
  for (const double x : v) largest = std::max(largest, std::abs(x));
  return largest;
}

Vector OnSimplex(Vector v, double total) {
  ProjectOntoSimplex(v, total);
  return v;
}

// The paper's Fig. 1.
Vector OnSimplexBySorting(Vector v, double total) {
  Vector sorted = v;
  std::ranges::sort(sorted, std::greater());
  long double sum = 0;
  long double theta = sorted.front();
  for (size_t r = 0; r < sorted.size(); ++r) {
    sum += sorted[r];
    const long double here = (sum - total) / static_cast<long double>(r + 1);
    if (sorted[r] > here) theta = here;
  }
  for (double& x : v) x = static_cast<double>(std::max(x - theta, 0.0L));
  return v;
}

void ExpectNear(const Vector& ours, const Vector& theirs, double tolerance) {
  for (size_t i = 0; i < ours.size(); ++i) ASSERT_NEAR(ours[i], theirs[i], tolerance) << i;
}

void ExpectOnSimplex(const Vector& v, double total) {
  SCOPED_TRACE(testing::Message() << v.size() << " numbers, total " << total);
  const Vector w = OnSimplex(v, total);
  // Extended precision still has errors of 2^-64 of the largest number.
  ExpectNear(w, OnSimplexBySorting(v, total), 1e-13 * total + 1e-17 * LargestMagnitudeOf(v));
  EXPECT_NEAR(std::accumulate(w.begin(), w.end(), 0.0), total, 1e-12 * total);
  EXPECT_GE(std::ranges::min(w), 0);
}

constexpr double kTotals[] = {0, 1e-300, 1e-20, 1e-6, 0.3, 1, 7, 1e6, 1e200};

TEST(ProjectionOntoSimplex, RandomVectors) {
  std::mt19937_64 random(1);
  std::normal_distribution normal;
  std::cauchy_distribution cauchy;
  for (int draw = 0; draw < 200; ++draw) {
    Vector v(1 + random() % 150);
    for (double& x : v) x = random() % 4 == 0 ? 0 : draw % 2 == 0 ? normal(random) : cauchy(random);
    for (const double total : kTotals) ExpectOnSimplex(v, total);
  }
}

TEST(ProjectionOntoSimplex, DegenerateVectors) {
  for (const double total : kTotals) {
    ExpectOnSimplex({0}, total);
    ExpectOnSimplex({-3}, total);
    ExpectOnSimplex(Vector(1000, 0.0), total);
    ExpectOnSimplex(Vector(1000, -0.1), total);
    ExpectOnSimplex({1e300, 1e300, -1e300, 1e-300, 0}, total);
    ExpectOnSimplex({1, std::nextafter(1.0, 2), std::nextafter(1.0, 0)}, total);
    Vector powers;
    for (int exponent = -1000; exponent <= 1000; exponent += 7) {
      powers.push_back(std::ldexp(exponent % 2 == 0 ? 1 : -1, exponent));
    }
    ExpectOnSimplex(powers, total);
  }
}

// All of a small total goes to the largest coordinates, with all digits.
TEST(ProjectionOntoSimplex, KeepsTheDigitsOfASmallTotal) {
  EXPECT_EQ(OnSimplex({1e17, 3, 1e17}, 1), (Vector{0.5, 0, 0.5}));
  EXPECT_EQ(OnSimplex({5, 5, 5, 5}, 1e-9), Vector(4, 1e-9 / 4));
  EXPECT_EQ(OnSimplex({5, -5}, 0), (Vector{0, 0}));
}

}  // namespace
}  // namespace thresher::learners
