// Regularisation of all coordinates at once, held in two numbers: a scale s and a shift c.
//
// Whatever shrinks every weight alike is applied to (s, c); a row stores u, and its weight is
//   |w| = s·max(|u| − c, 0),  with the sign of u.
// A row with |u| ≤ c is dead: 0, and 0 it stays until a gradient touches it. Nobody else reads u.
//
// Used by the elastic-net learners and truncated gradient. Part of persisted globals: the bytes are the
// model's. Thread-safety: a plain value.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "learners/soft.h"

namespace thresher::learners {

struct Shrinkage {
  double scale = 1;         // s
  double shift = 0;         // c
  double top = 0;           // no row's |u| is larger
  uint64_t steps = 0;       // taken since the model began: the clock of the learning rate
  uint64_t rebased_at = 0;  // `steps` at the last rebase

  bool IsSound() const { return std::isfinite(scale) && std::isfinite(shift) && std::isfinite(top); }
  bool IsLive(double u) const { return std::abs(u) > shift; }
  double Weight(double u) const { return scale * Soft(u, shift); }

  // u after `delta` is added to the weight, given in units of the scale (delta/s).
  double Moved(double u, double scaled_delta) const { return Unsoft(Soft(u, shift) + scaled_delta, shift); }

  void Raise(double u) { top = std::max(top, std::abs(u)); }

  // |w| ← |w| − amount, not below 0, for every w.
  void Subtract(double amount) { shift += amount / scale; }

  // |w| ← factor·|w| and |w| ← |w|/divisor for every w; 0 < factor ≤ 1 ≤ divisor.
  void Multiply(double factor) { scale *= factor; }
  void Divide(double divisor) { scale /= divisor; }

  // u − c cancels when the shift outgrows the weights: a row is rounded to 2^-53·s·c when it is written. Two
  // remedies keep s·c small; s·(top − c) bounds every |w|.
  //
  // Renew, while all are dead: a smaller scale under the same shift leaves them dead, and makes the shift
  // small beside whatever is written next. It costs nothing. `amount` is what the last step subtracted.
  void RenewIfDead(double amount) {
    if (top <= shift && shift > 16 * amount / scale) scale *= 0x1p-6;
  }

  // Rebase: a pass over the model, so not within a thousand steps of the last one even if every weight dies
  // in the step that made it. Until c has come that far, a write loses less than 2^-42 of s·(top − c).
  bool RebaseDue() const {
    constexpr double kVanishing = 0x1p-500;
    constexpr double kCancelling = 0x1p10;
    constexpr uint64_t kAmortised = 1024;
    if (scale < kVanishing) return true;
    return steps - rebased_at >= kAmortised && top > shift && shift > kCancelling * (top - shift);
  }

  // The same weight for the state after FinishRebase; a dead one's is +0.
  double Rebased(double u) const { return IsLive(u) ? Weight(u) : 0.0; }

  void FinishRebase() {
    top = Rebased(top);
    scale = 1;
    shift = 0;
    rebased_at = steps;
  }
};

}  // namespace thresher::learners
