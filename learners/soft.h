// Soft thresholding and its inverse.
//
//   soft(v, c) = sgn(v)·max(|v| − c, 0), c ≥ 0
//
// Used for every touched coordinate by the learners of this folder. Thread-safety: pure functions.
#pragma once

#include <cmath>

namespace thresher::learners {

// Without a jump; +0 where |v| ≤ c.
inline double Soft(double v, double c) {
  const double above = v < -c ? -c : v;
  return v - (above > c ? c : above);
}

// The v of w's sign with soft(v, c) = w, up to rounding.
inline double Unsoft(double w, double c) { return w + std::copysign(c, w); }

}  // namespace thresher::learners
