// ‖θ‖_p of a vector whose magnitudes all shrink by the same amount, tracked without reading all of them.
//
// With v_j = |θ_j| at an origin and δ the shrinkage since then, both measured in a unit M,
//   S = Σ (v_j/M)^p,   S' = Σ (v_j/M)^(p−1),   ‖θ‖_p ≈ M S^(1/p) − δ S'/S^((p−1)/p)
// which is exact at δ = 0 and to first order in δ, and never too large, because a norm is convex. The sums
// are exact, so that removing and adding a coordinate leaves no rounding error behind.
//
// Used by smidas.cc. Part of persisted globals. Thread-safety: a plain value.
#pragma once

#include <algorithm>
#include <cmath>

#include "learners/sums/fixed_sum.h"

namespace thresher::learners {

struct TrackedNorm {
  FixedSum powers;    // S
  FixedSum slopes;    // S'
  double unit = 0;    // M; 0 before the first coordinate
  double origin = 0;  // the shift at which v_j is |θ_j|

  void Add(double v, double p) {
    if (unit == 0) unit = v;
    const Terms terms = TermsOf(v, p);
    powers.Add(terms.power);
    slopes.Add(terms.slope);
  }
  void Remove(double v, double p) {
    const Terms terms = TermsOf(v, p);
    powers.Remove(terms.power);
    slopes.Remove(terms.slope);
  }

  // ‖θ‖_p at δ = 0.
  double AtOrigin(double p) const { return unit * std::pow(std::max(0.0, powers.Value()), 1 / p); }

  // How much less the norm is at another shift.
  double Shrinkage(double shift, double p) const {
    const double sum = powers.Value();
    return sum <= 0 ? 0 : (shift - origin) * slopes.Value() / std::pow(sum, (p - 1) / p);
  }

  // Whether the unit has become too small or too large for the sums.
  bool NeedsUnit() const {
    constexpr double kSmall = 0x1p-16;
    constexpr double kLarge = 0x1p16;
    const double sum = powers.Value();
    return sum < kSmall || sum > kLarge;
  }

  // Converts to units in which everything is `factor` times as large and the shift is 0.
  void Rescale(double shift, double factor) {
    origin = (origin - shift) * factor;
    unit *= factor;
  }

 private:
  struct Terms {
    double power;
    double slope;
  };

  Terms TermsOf(double v, double p) const {
    constexpr double kNegligible = 0x1p-80;
    const double ratio = v / unit;
    const double slope = ratio == 1 ? 1 : std::pow(ratio, p - 1);
    if (slope < kNegligible) return {.power = 0, .slope = 0};
    return {.power = std::min(slope * ratio, FixedSum::kLargestTerm),
            .slope = std::min(slope, FixedSum::kLargestTerm)};
  }
};

}  // namespace thresher::learners
