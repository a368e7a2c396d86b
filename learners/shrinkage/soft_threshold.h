// Soft thresholding and its inverse.
//
//   soft(v, c) = sgn(v)·max(|v| − c, 0), c ≥ 0
//
// Used for every touched coordinate by learners and batch solvers. Thread-safety: pure functions.
#pragma once

#include <cmath>

namespace thresher::learners {

// Branch-free; +0 where |v| ≤ c. Real is double, or several numbers at once.
template <class Real>
Real SoftThreshold(Real v, Real c) {
  const Real above = v < -c ? -c : v;
  return v - (above > c ? c : above);
}

// The v with soft(v, c) = w, up to rounding; it has the sign of w.
inline double InverseSoftThreshold(double w, double c) { return w + std::copysign(c, w); }

}  // namespace thresher::learners
