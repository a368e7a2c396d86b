#include "learners/batch/margin_loss.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

namespace thresher::learners::batch {
namespace {

std::vector<MarginLoss> AllLosses() {
  using Kind = MarginLoss::Kind;
  std::vector<MarginLoss> all;
  for (const Kind kind :
       {Kind::kLogistic, Kind::kSquared, Kind::kHinge, Kind::kSmoothedHinge, Kind::kAbsolute}) {
    all.push_back({.kind = kind, .gamma = 0.5});
  }
  return all;
}

// Far from the corners of all losses (γ = ½: ya of ½ and 1; absolute: a = y).
const std::vector<double> kMargins = {-30, -3.1, -1.4, -0.7, -0.2, 0, 0.3, 0.6, 0.8, 1.3, 2.9, 35};

TEST(MarginLoss, DerivativesAreThoseOfTheValues) {
  constexpr double kStep = 1e-6;
  for (const MarginLoss& loss : AllLosses()) {
    for (const double y : {-1.0, 1.0}) {
      for (const double a : kMargins) {
        const double slope = (loss.Value(a + kStep, y) - loss.Value(a - kStep, y)) / (2 * kStep);
        EXPECT_NEAR(loss.Derivative(a, y), slope, 1e-6) << static_cast<int>(loss.kind) << ' ' << a;
        if (loss.kind != MarginLoss::Kind::kLogistic && loss.kind != MarginLoss::Kind::kSquared) continue;
        const double bend = (loss.Derivative(a + kStep, y) - loss.Derivative(a - kStep, y)) / (2 * kStep);
        EXPECT_NEAR(loss.CurvatureAt(loss.Derivative(a, y)), bend, 1e-6);
        EXPECT_LE(bend, loss.Smoothness() + 1e-6);
      }
    }
  }
}

TEST(MarginLoss, ACurvatureIsNotRoundedTo0WhereTheDerivativeIsRoundedTo1) {
  const MarginLoss loss;
  for (const double a : {-36.0, -37.0, -38.0, -50.0, -1000.0}) {
    const double bend = std::exp(a) / std::pow(1 + std::exp(a), 2);
    EXPECT_GE(2 * loss.CurvatureAt(loss.Derivative(a, 1)), bend) << a;  // 1 − b may be rounded to half of it
    EXPECT_GT(loss.CurvatureAt(loss.Derivative(a, 1)), 0) << a;
  }
}

// −φ*(−α) = min over a of φ(a) + αa.
TEST(MarginLoss, DualValuesAreTheConjugates) {
  for (const MarginLoss& loss : AllLosses()) {
    for (const double y : {-1.0, 1.0}) {
      for (const double b : {0.0, 0.1, 0.5, 0.9, 1.0}) {
        const double alpha = y * b;
        double least = loss.Value(0, y);
        for (int k = -40 * 1024; k <= 40 * 1024; ++k) {
          const double a = k / 1024.0;
          least = std::min(least, loss.Value(a, y) + alpha * a);
        }
        EXPECT_NEAR(loss.DualValue(alpha, y), least, 1e-5) << static_cast<int>(loss.kind) << ' ' << alpha;
      }
      if (loss.kind == MarginLoss::Kind::kSquared) continue;
      EXPECT_EQ(loss.DualValue(1.5 * y, y), -MarginLoss::kInfinity);
    }
  }
}

TEST(MarginLoss, FenchelYoungIsTightAtTheDerivative) {
  for (const MarginLoss& loss : AllLosses()) {
    for (const double y : {-1.0, 1.0}) {
      for (const double a : kMargins) {
        const double alpha = -loss.Derivative(a, y);
        EXPECT_NEAR(loss.DualValue(alpha, y), loss.Value(a, y) + alpha * a, 1e-9 * (1 + std::abs(a)));
      }
    }
  }
}

TEST(MarginLoss, DualSlopesAreThoseOfTheDual) {
  constexpr double kStep = 1e-6;
  for (const MarginLoss& loss : AllLosses()) {
    if (!loss.HasCorners()) continue;
    for (const double y : {-1.0, 1.0}) {
      for (const double a : kMargins) {
        const double alpha = 0.3 * y;
        const double slope =
            (loss.DualValue(alpha + kStep, y) - loss.DualValue(alpha - kStep, y)) / (2 * kStep) - a;
        EXPECT_NEAR(loss.DualSlope(alpha, a, y), slope, 1e-6) << static_cast<int>(loss.kind) << ' ' << a;
      }
    }
  }
}

TEST(MarginLoss, DualStepsMaximise) {
  for (const MarginLoss& loss : AllLosses()) {
    for (const double y : {-1.0, 1.0}) {
      for (const double q : {0.0, 1e-9, 0.3, 1.0, 7.0, 1e6, 1e12}) {
        for (const double from : {0.0, 0.25 * y, 1.0 * y}) {
          for (const double a : kMargins) {
            const auto gain = [&](double alpha) {
              return loss.DualValue(alpha, y) - (alpha - from) * a - (alpha - from) * (alpha - from) * q / 2;
            };
            const double best = loss.DualStep(from, a, y, q);
            const double scale = 1 + std::abs(a);
            ASSERT_GE(gain(best), gain(from) - 1e-12 * scale)
                << static_cast<int>(loss.kind) << " q " << q << " from " << from << " a " << a;
            for (int k = -100; k <= 100; ++k) {
              const double other = from + 0.01 * k;
              EXPECT_GE(gain(best), gain(other) - 1e-9 * scale) << best << ' ' << other;
            }
          }
        }
      }
    }
  }
}

// At the maximum the derivative is 0: ln((1 − b)/b) − ya − (b − from)q.
TEST(MarginLoss, LogisticStepsArePrecise) {
  const MarginLoss loss;
  for (const double q : {0.0, 1e-3, 0.3, 1.0, 7.0, 100.0}) {
    for (const double from : {0.0, 1e-3, 0.25, 0.9, 1.0}) {
      for (const double a : kMargins) {
        const double b = loss.DualStep(from, a, 1, q);
        const double pull = a + (b - from) * q;
        EXPECT_NEAR(b, 1 / (1 + std::exp(pull)), 1e-12 * (1 + std::abs(pull)))
            << q << ' ' << from << ' ' << a;
      }
    }
  }
}

// As with a time stamp for a feature: the search goes along a tail of σ.
TEST(MarginLoss, LogisticStepsAreFoundForVeryLongRows) {
  const MarginLoss loss;
  for (const double q : {1e22, 1e26, 1e30}) {
    for (const double from : {0.0, 1e-20, 0.5}) {
      for (const double a : kMargins) {
        const double b = loss.DualStep(from, a, 1, q);
        const auto gain = [&](double alpha) {
          return loss.DualValue(alpha, 1) - (alpha - from) * a - (alpha - from) * (alpha - from) * q / 2;
        };
        EXPECT_GE(gain(b), gain(from) - 1e-12 * (1 + std::abs(a))) << q << ' ' << from << ' ' << a;
      }
    }
  }
}

TEST(MarginLoss, NothingOverflows) {
  for (const MarginLoss& loss : AllLosses()) {
    for (const double a : {-1e100, 1e100}) {
      EXPECT_TRUE(std::isfinite(loss.Value(a, 1)));
      EXPECT_TRUE(std::isfinite(loss.Derivative(a, 1)));
      for (const double q : {0.0, 1e80}) EXPECT_TRUE(std::isfinite(loss.DualStep(0.5, a, 1, q)));
    }
  }
}

}  // namespace
}  // namespace thresher::learners::batch
