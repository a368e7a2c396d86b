// Euclidean projection of a vector onto the simplex: Duchi et al., "Efficient Projections onto the ℓ1-Ball
// for Learning in High Dimensions" (2008), Eq. 3 and Fig. 2.
//
//   w_i ≥ 0, Σ w_i = z        w_i = max(v_i − θ, 0); θ may be negative
//
// θ is found by random pivots in expected O(n). Where z is tiny against v, θ as one number would leave
// rounding errors only: it is one of the v_i plus a small rest, and Σ is right to 1e-12 of z. Where several
// v_i are equal but for rounding, w is right to 1e-15 of v.
//
// Called by the reproduction, which has a plain vector; ball_threshold.h is for the ℓ1-ball itself.
// Thread-safety: pure functions.
#pragma once

#include <span>

namespace thresher::learners {

// Replaces v by the nearest w with w ≥ 0 and Σ w = total. REQUIRES: v finite, not empty; total finite and ≥
// 0.
void ProjectOntoSimplex(std::span<double> v, double total);

}  // namespace thresher::learners
