// A grid over settings: every combination of some values, and which of the models are on the frontier of size
// and accuracy.
//
// Called by the grid command. Thread-safety: pure functions.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "pipeline/error.h"
#include "pipeline/settings/settings.h"
#include "pipeline/trec/experiment.h"

namespace thresher::pipeline {

struct Combination {
  std::vector<std::string> assignments;  // "KEY=VALUE"
  Settings settings;
};

// The combinations of `vary`, each "KEY=VALUE,VALUE,…", over `settings`; the last varies fastest. All are
// valid.
Result<std::vector<Combination>> Combinations(const Settings& settings, std::span<const std::string> vary);

// The result of a combination. Figures that are not defined, because a class is missing, are empty.
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

// Sorts by size, then accuracy. A point more accurate than all before it is on the frontier, and so
// is one that is the same in both.
void SortByFrontier(std::vector<GridPoint>* points);

}  // namespace thresher::pipeline
