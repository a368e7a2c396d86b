// One step of primal coordinate descent on P(w) = (1/n) Σ φ_i + (λ2/2)‖w‖² + λ1‖w‖₁, along one coordinate
// whose derivative is known, and what it gains for sure.
//
// With curvature c, no less than that of the smooth part along the step,
//   w_j ← soft(w_j − g/c, λ1/c)                     the minimiser of the bound g d + c d²/2 + λ1|w_j + d|
//
// Used by scd.cc and detcd.cc. Thread-safety: pure functions.
#pragma once

#include <cmath>

#include "learners/batch/examples.h"
#include "learners/batch/margin_loss.h"
#include "learners/soft.h"

namespace thresher::learners::batch {

// How far to go from `weight`. `curvature` > 0.
inline double CoordinateStep(double weight, double slope, double curvature, double l1) {
  return Soft(weight - slope / curvature, l1 / curvature) - weight;
}

// By how much the bound falls.
inline double GuaranteedDecrease(double weight, double slope, double curvature, double l1, double step) {
  return -(slope * step + curvature * step * step / 2 + l1 * (std::abs(weight + step) - std::abs(weight)));
}

// β·(1/n)Σ x_ij² of a column: a curvature for any w. The paper's β is this for |x_ij| = 1 everywhere.
inline double ColumnCurvature(const SparseLines::Line& column, size_t examples, const MarginLoss& loss) {
  return loss.Smoothness() * SquaredNorm(column) / static_cast<double>(examples);
}

}  // namespace thresher::learners::batch
