// Fig. 1 and Eq. 13 of Carbonetto, Schmidt & de Freitas (2008) on all coordinates, for a gradient of any
// loss.
//
// Used by batch/interior_point.cc and by the experiments of reproduction/. Thread-safety: a plain value.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "learners/interior/coordinate.h"
#include "learners/interior/delta_rule.h"

namespace thresher::learners {

struct DenseState {
  explicit DenseState(size_t features, double b = 1, double z = 1)
      : coordinates(features, Coordinate{{{{.b = b, .z = z}, {.b = b, .z = z}}}}) {}

  // A step of length `longest` at most. `descent[j]` is minus the gradient of the loss, `penalty` the paper's
  // λ/n, `centering` its σ_k.
  void TakeStep(std::span<const double> descent, double penalty, double longest, double centering) {
    double products = 0;
    for (const Coordinate& coordinate : coordinates) products += coordinate.Product();
    const double constraints = 2 * static_cast<double>(coordinates.size());
    DeltaStep step = {
        .barrier = centering * products / constraints, .penalty = penalty, .limit = {.length = longest}};
    for (size_t j = 0; j < coordinates.size(); ++j) {
      CoordinateStep(coordinates[j], descent[j], step).AddTo(step.limit, coordinates[j]);
    }
    step.length = step.limit.Longest();
    for (size_t j = 0; j < coordinates.size(); ++j) {
      coordinates[j] = CoordinateStep(coordinates[j], descent[j], step).Applied(coordinates[j], step.length);
    }
  }

  std::vector<Coordinate> coordinates;
};

}  // namespace thresher::learners
