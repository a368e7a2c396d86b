// Euclidean projections of a vector onto the simplex, after Duchi et al., "Efficient Projections onto the
// ℓ1-Ball for Learning in High Dimensions" (2008), Eq. 3 and Fig. 2, and onto the ℓ1-ball with weights, to
// which their method extends.
//
//   simplex         w_i ≥ 0, Σ w_i = z        w_i = max(v_i − θ, 0); θ may be negative
//   weighted ball   Σ a_i |w_i| ≤ z           w_i = soft(v_i, θ a_i), and w = v where v is inside
//
// θ is found by random pivots in expected O(n). Where z is tiny against v, θ as one number would leave
// rounding errors only: it is the ratio of a coordinate plus a small rest, and Σ is right to 1e-12 of z.
// Where several ratios are equal but for rounding, w is right to 1e-15 of v.
//
// For callers that have a plain vector; ball_threshold.h is for the ℓ1-ball itself. Thread-safety: pure
// functions.
#pragma once

#include <span>

namespace thresher::learners {

// Replaces v by the nearest w with w ≥ 0 and Σ w = total. REQUIRES: v finite, not empty; total finite and ≥
// 0.
void ProjectOntoSimplex(std::span<double> v, double total);

// Replaces v by the nearest w with Σ a_i |w_i| ≤ radius. A coordinate of weight 0 is free. REQUIRES: as many
// weights as values, each 0 or from 1e-100 to 1e100; v, |v_i|/a_i and Σ a_i |v_i| finite; radius ≥ 0.
void ProjectOntoWeightedBall(std::span<double> v, std::span<const double> weights, double radius);

}  // namespace thresher::learners
