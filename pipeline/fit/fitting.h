// Runs a batch solver until its gap is small enough, with reports on the way and a state to resume from.
//
// Called by the fit and regret commands. Thread-safety: one thread calls; the solver may use several.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "learners/batch/solvers.h"
#include "pipeline/error.h"
#include "pipeline/fit/example_store.h"

namespace thresher::pipeline {

struct FitPoint {
  learners::batch::Progress progress;
  double seconds = 0;  // of the solver's steps so far, in this process
};

struct FitOptions {
  std::string solver = "sdca";
  learners::OptionValues options;
  uint64_t seed = 1;
  double gap = 1e-4;  // stops at gap ≤ this · |objective|
  uint64_t epochs = 1000;
  size_t threads = 1;
  std::string resume;                                   // a file (solver_state.h); empty: none
  std::span<const double> start;                        // weights to start from; empty: zeros
  std::function<void(const FitPoint&)> on_report = {};  // may be empty
};

struct Fitted {
  std::vector<FitPoint> points;  // the last one belongs to the weights
  std::vector<double> weights;   // [feature·outputs + output]
  size_t outputs = 1;
  bool reached = false;  // the gap; otherwise the epochs were used up
};

// Reports after each of the first epochs, then whenever the number of epochs has grown by an eighth, and at
// the end. Saves the state with each report.
Result<Fitted> Fit(const ExampleStore& examples, const FitOptions& options);

}  // namespace thresher::pipeline
