// Euclidean projection of a vector onto the ℓ1-ball ‖w‖₁ ≤ z: Duchi et al., "Efficient Projections onto the
// ℓ1-Ball for Learning in High Dimensions" (2008).
//
// The projection of v is soft(v, θ) (soft_threshold.h) with
//   θ = (Σ_{i≤ρ} u_(i) − z)/ρ,   ρ = max{ r : u_(r) > (Σ_{i≤r} u_(i) − z)/r },   u = |v|, largest first
// or θ = 0 where ‖v‖₁ ≤ z. Two ways, which agree with sorting (their Fig. 1) to 1e-12 of the largest
// magnitude:
//   by pivots     expected O(n)    their Fig. 2, here
//   by a tree     O(log n) for a vector whose magnitudes are kept in one: their Fig. 3, magnitude_tree.h
//
// Called by ball_descent.cc and the reproduction, which have a plain vector; l1_ball.cc keeps magnitudes in
// the tree or in runs (magnitudes.h). Thread-safety: pure functions.
#pragma once

#include <span>

namespace thresher::learners {

// θ. REQUIRES: magnitudes finite and not negative, with a finite sum; radius > 0. Reorders the magnitudes.
// The pivots are from a generator that starts from the same seed each time.
double BallThreshold(std::span<double> magnitudes, double radius);

}  // namespace thresher::learners
