// One step of primal coordinate descent on P(w) = (1/n) Σ φ_i + (λ2/2)‖w‖² + λ1‖w‖₁, l ≤ w_j ≤ u, along a
// coordinate with derivative g, and a lower bound of the decrease of P.
//
// With c at least the curvature of the smooth part along the step,
//   w_j ← soft(w_j − g/c, λ1/c)                     the minimiser of the bound g d + c d²/2 + λ1|w_j + d|
// or the end of [l, u] that is nearest to it.
//
// Used by scd.cc, detcd.cc and prox_newton.cc. Thread-safety: pure functions.
#pragma once

#include <algorithm>
#include <cmath>
#include <vector>

#include "learners/batch/elastic_net_objective.h"
#include "learners/batch/examples.h"
#include "learners/batch/margin_loss.h"
#include "learners/shrinkage/soft_threshold.h"

namespace thresher::learners::batch {

// The change of `weight`. REQUIRES: curvature > 0.
inline double CoordinateStep(double weight, double slope, double curvature,
                             const ElasticNetObjective& objective) {
  return objective.Within(SoftThreshold(weight - slope / curvature, objective.l1 / curvature)) - weight;
}

// The decrease of the bound, hence at least that much of P.
inline double GuaranteedDecrease(double weight, double slope, double curvature, double l1, double step) {
  return -(slope * step + curvature * step * step / 2 + l1 * (std::abs(weight + step) - std::abs(weight)));
}

// β·(1/n)Σ x_ij² of a column: an upper bound of the curvature at any w. The paper has |x_ij| ≤ 1 and uses β.
inline double ColumnCurvature(const SparseLines::Line& column, size_t examples, const MarginLoss& loss) {
  return loss.Smoothness() * SquaredNorm(column) / static_cast<double>(examples);
}

// The curvature of each column; or, with `one_for_all`, β·max x², which bounds it for every column.
inline std::vector<double> Curvatures(const SparseLines& columns, size_t examples, const MarginLoss& loss,
                                      bool one_for_all) {
  std::vector<double> curvatures(columns.size());
  double largest = 0;
  for (size_t j = 0; j < columns.size(); ++j) {
    largest = std::max(largest, LargestMagnitude(columns[j]));
    curvatures[j] = ColumnCurvature(columns[j], examples, loss);
  }
  if (one_for_all) std::ranges::fill(curvatures, loss.Smoothness() * largest * largest);
  return curvatures;
}

}  // namespace thresher::learners::batch
