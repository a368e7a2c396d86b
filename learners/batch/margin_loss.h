// Losses φ(a) of a margin a and a target y, as primal and dual solvers need them: value, derivative,
// curvature, conjugate, and the exact maximiser of a one-dimensional dual.
//
//                      φ(a)                                      −φ*(−α), b = yα           1/γ
//   logistic           log(1 + exp(−ya))                         −b ln b − (1−b) ln(1−b)   1/4
//   squared            (a − y)²/2                                yα − α²/2                 1
//   hinge              max(0, 1 − ya)                            b                         –
//   smoothed hinge     0 if ya > 1; 1 − ya − γ/2 if ya < 1 − γ;  b − γb²/2                 1/γ
//                      else (1 − ya)²/(2γ)
//   absolute           |a − y|                                   yα, |α| ≤ 1               –
// with 0 ≤ b ≤ 1 for the first, third and fourth; −∞ outside the bounds.
//
// Sign conventions of all solvers in this folder (Shalev-Shwartz & Zhang 2013, Eq. 1–3):
//   P(w) = (1/n) Σ φ_i(⟨w,x_i⟩) + λ g(w)        D(α) = (1/n) Σ −φ_i*(−α_i) − λ g*(v),  v = Σ α_i x_i/(λn)
// By Fenchel–Young φ(a) + φ*(−α) ≥ −αa for any a and α, and g(w) + g*(v) ≥ ⟨w,v⟩ = Σ α_i a_i/(λn). The sum of
// both is P ≥ D. Both are equalities where α_i = −φ_i'(a_i) and w = ∇g*(v).
//
// Used by the batch solvers and the distributed ones, and by pipeline/fit/path.h. Thread-safety: a plain
// value.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <string_view>

#include "learners/loss/loss.h"
#include "learners/options.h"

namespace thresher::learners::batch {

struct MarginLoss {
  enum class Kind { kLogistic, kSquared, kHinge, kSmoothedHinge, kAbsolute };

  Kind kind = Kind::kLogistic;
  double gamma = 1;  // of the smoothed hinge

  static constexpr double kInfinity = std::numeric_limits<double>::infinity();

  // Whether targets must be ±1.
  bool IsOfClasses() const { return kind != Kind::kSquared && kind != Kind::kAbsolute; }

  // β of |φ'(a) − φ'(b)| ≤ β|a − b|; infinite where there is none.
  double Smoothness() const {
    switch (kind) {
      case Kind::kLogistic:
        return 0.25;
      case Kind::kSquared:
        return 1;
      case Kind::kSmoothedHinge:
        return 1 / gamma;
      default:
        return kInfinity;
    }
  }

  double Value(double a, double y) const {
    switch (kind) {
      case Kind::kLogistic:
        return LossValue(Loss::kLogistic, a, LabelOf(y));
      case Kind::kSquared:
        return (a - y) * (a - y) / 2;
      case Kind::kAbsolute:
        return std::abs(a - y);
      case Kind::kHinge:
        return std::max(0.0, 1 - y * a);
      case Kind::kSmoothedHinge:
        break;
    }
    const double lacking = 1 - y * a;
    if (lacking < 0) return 0;
    return lacking > gamma ? lacking - gamma / 2 : lacking * lacking / (2 * gamma);
  }

  double Derivative(double a, double y) const {
    switch (kind) {
      case Kind::kLogistic:
        return LossDerivative(Loss::kLogistic, a, LabelOf(y));
      case Kind::kSquared:
        return a - y;
      case Kind::kAbsolute:
        return a > y ? 1 : (a < y ? -1 : 0);
      case Kind::kHinge:
        return y * a < 1 ? -y : 0;
      case Kind::kSmoothedHinge:
        break;
    }
    return -y * std::clamp((1 - y * a) / gamma, 0.0, 1.0);
  }

  // φ'' where φ' is `derivative`; above 0 also where that is rounded to ±1. REQUIRES: logistic or squared.
  double CurvatureAt(double derivative) const {
    constexpr double kRounding = std::numeric_limits<double>::epsilon() / 2;  // below, b is 1
    const double b = std::abs(derivative);
    return kind == Kind::kLogistic ? b * std::max(1 - b, kRounding) : 1;
  }

  // −φ*(−α).
  double DualValue(double alpha, double y) const {
    const double b = y * alpha;
    switch (kind) {
      case Kind::kSquared:
        return b - alpha * alpha / 2;
      case Kind::kAbsolute:
        return std::abs(alpha) <= 1 ? b : -kInfinity;
      default:
        break;
    }
    if (b < 0 || b > 1) return -kInfinity;
    if (kind == Kind::kLogistic) return Entropy(b) + Entropy(1 - b);
    return kind == Kind::kHinge ? b : b - gamma * b * b / 2;
  }

  // Whether the optimal α of most examples is at a bound.
  bool HasCorners() const {
    return kind == Kind::kHinge || kind == Kind::kSmoothedHinge || kind == Kind::kAbsolute;
  }

  // The derivative of −φ*(−α) − αa. REQUIRES: HasCorners().
  double DualSlope(double alpha, double a, double y) const {
    if (kind == Kind::kAbsolute) return y - a;
    return y - a - (kind == Kind::kSmoothedHinge ? gamma * alpha : 0);
  }

  // The α that maximises −φ*(−α) − (α − from)·a − (α − from)²·q/2; q ≥ 0.
  double DualStep(double from, double a, double y, double q) const {
    switch (kind) {
      case Kind::kLogistic:
        return y * LogisticStep(y * from, y * a, q);
      case Kind::kSquared:
        return (y - a + q * from) / (1 + q);
      case Kind::kAbsolute:
        return Clipped(y - a + q * from, q, -1);
      case Kind::kHinge:
        return y * Clipped(1 - y * a + q * y * from, q, 0);
      case Kind::kSmoothedHinge:
        break;
    }
    return y * Clipped(1 - y * a + q * y * from, q + gamma, 0);
  }

 private:
  static Label LabelOf(double y) { return y > 0 ? Label::kSpam : Label::kHam; }
  static double Entropy(double b) { return b > 0 ? -b * std::log(b) : 0; }

  // numerator/denominator within [least, 1]; the denominator may be 0.
  static double Clipped(double numerator, double denominator, double least) {
    if (numerator >= denominator) return numerator > 0 ? 1 : std::clamp(0.0, least, 1.0);
    return numerator <= least * denominator ? least : numerator / denominator;
  }

  // With b = σ(s) the condition is s + ya + (σ(s) − from)·q = 0, whose slope is 1 + qσ'(s) ≥ 1. Solved by
  // Newton's method within a bracket that every step narrows.
  static double LogisticStep(double from, double ya, double q) {
    double low = -ya - (1 - from) * q;
    double high = -ya + from * q;
    double s = from > 0 && from < 1 ? std::clamp(std::log(from / (1 - from)), low, high) : (low + high) / 2;
    double b = Sigmoid(s);
    // Enough: halvings while the bracket is wide, steps of about 1 along a tail of σ, of 750 at most, then
    // few.
    constexpr int kMostSteps = 2000;
    constexpr double kPrecise = 1e-6;  // the error after a Newton step is at most half its square
    for (int step = 0; step < kMostSteps; ++step) {
      const double excess = s + ya + (b - from) * q;
      (excess > 0 ? high : low) = s;
      const double newton = s - excess / (1 + q * b * (1 - b));
      // Before the bracket is checked: at an exact solution, Newton's step is 0 and ends on the bracket's
      // edge.
      if (std::abs(newton - s) <= kPrecise * (1 + std::abs(s))) return Sigmoid(newton);
      s = newton > low && newton < high ? newton : (low + high) / 2;
      b = Sigmoid(s);
    }
    return b;
  }
  static double Sigmoid(double s) { return 1 / (1 + std::exp(-s)); }
};

inline constexpr std::array<std::string_view, 5> kMarginLossNames = {"logistic", "squared", "hinge",
                                                                     "smoothed-hinge", "absolute"};
inline constexpr OptionSpec kMarginLossOption = {.name = "loss",
                                                 .default_value = "logistic",
                                                 .choices = kMarginLossNames,
                                                 .help = "loss of a margin and a label"};
// For solvers that need a continuous derivative, and for those that need a second derivative.
inline constexpr std::array<std::string_view, 3> kSmoothLossNames = {"logistic", "squared", "smoothed-hinge"};
inline constexpr OptionSpec kSmoothLossOption = {.name = "loss",
                                                 .default_value = "logistic",
                                                 .choices = kSmoothLossNames,
                                                 .help = "loss of a margin and a label"};
inline constexpr std::array<std::string_view, 2> kCurvedLossNames = {"logistic", "squared"};
inline constexpr OptionSpec kCurvedLossOption = {.name = "loss",
                                                 .default_value = "logistic",
                                                 .choices = kCurvedLossNames,
                                                 .help = "loss of a margin and a label"};
inline constexpr OptionSpec kGammaOption = {.name = "gamma",
                                            .default_value = "1",
                                            .min = 1e-6,
                                            .max = 1e6,
                                            .help = "width of the quadratic part of the smoothed hinge"};

// REQUIRES: `complete` has `loss`.
inline MarginLoss ReadMarginLoss(const OptionValues& complete) {
  MarginLoss loss;
  const auto* const name = std::ranges::find(kMarginLossNames, WordOption(complete, "loss"));
  loss.kind = static_cast<MarginLoss::Kind>(name - kMarginLossNames.begin());
  if (complete.contains(kGammaOption.name)) loss.gamma = NumberOption(complete, kGammaOption.name);
  return loss;
}

}  // namespace thresher::learners::batch
