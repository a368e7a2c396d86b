// The projections onto the simplex and the weighted ball agree with sorting, and with what defines them.
#include "learners/magnitudes/projections.h"

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

Vector OnBall(Vector v, const Vector& a, double radius) {
  ProjectOntoWeightedBall(v, a, radius);
  return v;
}

// The least θ ≥ 0 that leaves Σ a·max(|v| − θa, 0) ≤ radius: one of the θ between two neighbours among |v|/a.
Vector OnBallBySorting(Vector v, const Vector& a, double radius) {
  std::vector<size_t> order(v.size());
  std::iota(order.begin(), order.end(), 0);
  std::erase_if(order, [&](size_t i) { return a[i] == 0; });
  const auto ratio = [&](size_t i) { return static_cast<long double>(std::abs(v[i])) / a[i]; };
  std::ranges::sort(order, std::greater(), ratio);
  long double mass = 0;
  long double squares = 0;
  long double theta = order.empty() ? 0 : ratio(order.front());
  for (const size_t i : order) {
    mass += static_cast<long double>(a[i]) * std::abs(v[i]);
    squares += static_cast<long double>(a[i]) * a[i];
    if (ratio(i) * squares > mass - radius) theta = (mass - radius) / squares;
  }
  if (mass <= radius) return v;
  for (size_t i = 0; i < v.size(); ++i) {
    if (a[i] == 0) continue;
    v[i] = std::copysign(static_cast<double>(std::max(std::abs(v[i]) - theta * a[i], 0.0L)), v[i]);
  }
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

void ExpectOnBall(const Vector& v, const Vector& a, double radius) {
  SCOPED_TRACE(testing::Message() << v.size() << " numbers, radius " << radius);
  const Vector w = OnBall(v, a, radius);
  ExpectNear(w, OnBallBySorting(v, a, radius), 1e-13 * LargestMagnitudeOf(v));
  double before = 0;
  double after = 0;
  for (size_t i = 0; i < v.size(); ++i) {
    before += a[i] * std::abs(v[i]);
    after += a[i] * std::abs(w[i]);
    EXPECT_GE(w[i] * v[i], 0) << i;
    EXPECT_TRUE(a[i] != 0 || w[i] == v[i]) << i;
  }
  EXPECT_NEAR(after, std::min(before, radius), 1e-12 * std::min(before, radius));
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

TEST(ProjectionOntoWeightedBall, RandomVectors) {
  std::mt19937_64 random(2);
  std::normal_distribution normal;
  for (int draw = 0; draw < 200; ++draw) {
    Vector v(random() % 150);
    Vector a;
    for (double& x : v) {
      x = random() % 4 == 0 ? 0 : normal(random);
      a.push_back(random() % 8 == 0 ? 0
                  : draw % 2 == 0   ? 1 + static_cast<double>(random() % 3)
                                    : std::exp(2 * normal(random)));
    }
    double norm = 0;
    for (size_t i = 0; i < v.size(); ++i) norm += a[i] * std::abs(v[i]);
    for (const double share : {0.0, 1e-12, 1e-6, 0.01, 0.3, 0.999, 1.001, 50.0}) {
      ExpectOnBall(v, a, share * norm);
    }
  }
}

TEST(ProjectionOntoWeightedBall, DegenerateVectors) {
  for (const double radius : kTotals) {
    ExpectOnBall({}, {}, radius);
    ExpectOnBall({0, 0}, {1, 2}, radius);
    ExpectOnBall({-3, 4}, {0, 0}, radius);
    ExpectOnBall({-3, 4, 5}, {0, 2, 0}, radius);
    ExpectOnBall(Vector(1000, 0.1), Vector(1000, 3), radius);
    ExpectOnBall({2, 4, -6, 8}, {1, 2, 3, 4}, radius);  // all are cut at the same θ
    ExpectOnBall({1e150, -1e-150, 1}, {1e-50, 1e50, 1}, radius);
  }
}

TEST(ProjectionOntoWeightedBall, WorkedByHand) {
  EXPECT_EQ(OnBall({3, -1}, {2, 2}, 4), (Vector{2, -0.0}));
  // θ = (1·4 + 3·4 − 6)/(1 + 9) = 1
  ExpectNear(OnBall({4, -4}, {1, 3}, 6), {3, -1}, 1e-15);
  EXPECT_EQ(OnBall({4, -4}, {1, 3}, 16), (Vector{4, -4}));
}

}  // namespace
}  // namespace thresher::learners
