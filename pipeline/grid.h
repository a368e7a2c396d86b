// A grid over settings: every combination of some values, and which of the models they make are worth their
// weights.
//
// Called by the grid command. Thread-safety: pure functions.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "pipeline/error.h"
#include "pipeline/experiment.h"
#include "pipeline/settings/settings.h"

namespace thresher::pipeline {

struct Combination {
  std::vector<std::string> assignments;  // "KEY=VALUE"
  Settings settings;
};

// Of `vary`, each "KEY=VALUE,VALUE,…", over `settings`; the last varies fastest. All of them are valid.
Result<std::vector<Combination>> Combinations(const Settings& settings, std::span<const std::string> vary);

// What a combination came to. A figure that a missing class leaves undefined is nothing.
struct GridPoint {
  std::vector<std::string> assignments;
  std::optional<double> roc_area_above;    // percent
  std::optional<double> logistic_average;  // percent
  std::optional<double> log_loss;
  uint64_t nonzeros = 0;
  double seconds = 0;
  bool on_frontier = false;
};

GridPoint Measured(const Combination& combination, const ReplayRun& run);

// By size, then accuracy; on the frontier is what is more accurate than everything before it.
void SortByFrontier(std::vector<GridPoint>* points);

}  // namespace thresher::pipeline
