// A regularisation path: fits for falling penalties, each from the weights of the one before.
//
// Called by the fit command. Thread-safety: one thread calls.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <vector>

#include "learners/batch/margin_loss.h"
#include "pipeline/error.h"
#include "pipeline/fit/example_store.h"
#include "pipeline/fit/fitting.h"

namespace thresher::pipeline {

struct PathPoint {
  double l1 = 0;
  FitPoint fit;            // at the end of this penalty's fit
  double train_error = 0;  // share of examples whose sign is wrong
  struct Quality {
    double error = 0;
    double loss = 0;  // logistic, the mean
  };
  std::optional<Quality> test;  // on the examples held out, if there are any
};

struct PathOptions {
  FitOptions fit;         // option l1 is where the path ends; resume and start are not used
  size_t points = 20;     // at least 2
  double held_out = 0.2;  // share of the examples, the last ones, that are not learned from
};

// From the least l1 at which all weights are 0 down to the solver's, in equal ratios. The solver must take l1
// and begin from weights, targets must be ±1.
Result<std::vector<PathPoint>> FitPath(const ExampleStore& examples, const PathOptions& options,
                                       const std::function<void(const PathPoint&)>& on_point);

// The least l1 at which weights of 0 are the minimum: max_j |(1/n) Σ φ_i'(0) x_ij|.
double LargestUsefulL1(const learners::batch::Examples& examples, const learners::batch::MarginLoss& loss);

}  // namespace thresher::pipeline
