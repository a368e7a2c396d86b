// Regularisation of all weights at once, kept in two numbers: a scale s and a shift c.
//
// What shrinks every weight alike changes (s, c) only. A row stores u, and its weight is
//   |w| = s·max(|u| − c, 0),  with the sign of u.
// A row with |u| ≤ c is prunable: its weight is 0 until a gradient step touches it. Nobody else interprets u.
//
// Used by the elastic-net learners, truncated gradient and SMIDAS. Part of persisted globals: the layout in
// memory is the stored format. Thread-safety: a plain value.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "learners/shrinkage/soft_threshold.h"

namespace thresher::learners {

struct Shrinkage {
  double scale = 1;         // s
  double shift = 0;         // c
  double largest = 0;       // at least |u| of every row
  uint64_t steps = 0;       // taken since the model began: the clock of the learning rate
  uint64_t rebased_at = 0;  // `steps` at the last rebase

  bool IsSound() const { return std::isfinite(scale) && std::isfinite(shift) && std::isfinite(largest); }
  bool IsLive(double u) const { return std::abs(u) > shift; }
  double Weight(double u) const { return scale * SoftThreshold(u, shift); }

  // u after a change of the weight, which is given in units of the scale.
  double Moved(double u, double scaled_delta) const {
    return InverseSoftThreshold(SoftThreshold(u, shift) + scaled_delta, shift);
  }

  // To be called for each u that is written.
  void Include(double u) { largest = std::max(largest, std::abs(u)); }

  // |w| ← |w| − amount, not below 0, for every w.
  void Subtract(double amount) { shift += amount / scale; }

  // |w| ← factor·|w| and |w| ← |w|/divisor for every w; 0 < factor ≤ 1 ≤ divisor.
  void Multiply(double factor) { scale *= factor; }
  void Divide(double divisor) { scale /= divisor; }

  // When the shift is large against the weights, u − c cancels: writing a row rounds its weight to 2^-53·s·c.
  // Two remedies keep s·c small. (s·(largest − c) bounds every |w|.)
  //
  // The first applies while all weights are 0: a smaller scale with the same shift leaves them 0, and makes
  // the shift small against what is written next. It costs nothing. `amount` is what the last step
  // subtracted.
  void RescaleIfAllZero(double amount) {
    if (largest <= shift && shift > 16 * amount / scale) scale *= 0x1p-6;
  }

  // The second is a rebase, a pass over the model: at most one in 1024 steps, even if every weight becomes 0
  // in the step that made it. Until c has grown that far, a write loses less than 2^-42 of s·(largest − c).
  bool RebaseDue() const {
    constexpr double kVanishing = 0x1p-500;
    constexpr double kCancelling = 0x1p10;
    constexpr uint64_t kAmortised = 1024;
    if (scale < kVanishing) return true;
    return steps - rebased_at >= kAmortised && largest > shift && shift > kCancelling * (largest - shift);
  }

  // The u of the same weight after FinishRebase; +0 where the weight is 0.
  double Rebased(double u) const { return IsLive(u) ? Weight(u) : 0.0; }

  void FinishRebase() {
    largest = Rebased(largest);
    scale = 1;
    shift = 0;
    rebased_at = steps;
  }
};

}  // namespace thresher::learners
