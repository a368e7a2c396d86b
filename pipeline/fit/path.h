// A regularisation path: fits for decreasing penalties, each starting from the weights of the one before.
//
// Called by the fit command. Thread-safety: one thread calls.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <vector>

#include "learners/batch/elastic_net_objective.h"
#include "pipeline/error.h"
#include "pipeline/fit/example_store.h"
#include "pipeline/fit/fitting.h"

namespace thresher::pipeline {

struct PathPoint {
  double l1 = 0;
  FitPoint fit;            // at the end of the fit with this penalty
  double train_error = 0;  // share of the examples on which the sign is wrong
  struct Quality {
    double error = 0;
    double loss = 0;  // mean of the solver's loss
  };
  std::optional<Quality> test;  // on the held-out examples, if there are any
};

struct PathOptions {
  FitOptions fit;         // the path ends at option l1; resume and start are not used
  size_t points = 20;     // at least 2
  double held_out = 0.2;  // the latest share of each class, which is not fitted (held_out.h)
};

// Goes from the smallest l1 at which all weights are 0, or the largest that solvers take if that is less,
// down to the solver's l1, in equal ratios. The solver must have an option l1 and be able to start from
// weights; targets must be ±1, of both classes.
Result<std::vector<PathPoint>> FitPath(const ExampleStore& examples, const PathOptions& options,
                                       const std::function<void(const PathPoint&)>& on_point);

// The smallest l1 at which weights of 0 are the minimum: max_j |(1/n) Σ φ_i'(0) x_ij|, over the weights that
// the bounds let go to the side where the loss falls.
double LargestUsefulL1(const learners::batch::Examples& examples,
                       const learners::batch::ElasticNetObjective& objective);

}  // namespace thresher::pipeline
