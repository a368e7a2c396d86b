// A complete replay and its results: outcomes, statistics of the model, time and memory.
//
// Called by the replay and grid commands. Thread-safety: one thread at a time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "eval/outcome.h"
#include "pipeline/error.h"
#include "pipeline/input/trec_index.h"
#include "pipeline/model/inspection.h"
#include "pipeline/settings/settings.h"
#include "pipeline/trec/replay.h"
#include "pipeline/trec/split.h"
#include "pipeline/trec/stress.h"

namespace thresher::pipeline {

struct ReplayRun {
  std::string preset;
  std::string learner;
  std::string learner_options;
  ReplayOptions options;

  ReplayReport report;
  std::vector<eval::Outcome> outcomes;  // the verdict is that at the spam threshold
  ModelStatistics statistics;           // at the end
  storage::Database::Sizes sizes;       // after compaction
  double seconds = 0;
  long peak_kib = 0;  // of this process so far
};

using OnOutcome = std::function<void(const TrecEntry& entry, const eval::Outcome& outcome)>;

// The index as it is replayed: shuffled first, so that no feedback comes before its message; then stressed;
// then with what is trained first. Leaves the folds to RunExperiment.
TrecIndex Arranged(TrecIndex index, const Split& split, const Stress& stress);

// What is replayed, and how. Without `directory` the model is temporary.
struct Experiment {
  const Settings& settings;
  const TrecIndex& index;  // as Arranged
  uint64_t folds = 0;      // of a cross-validation; 0: none
  ReplayOptions options;   // threads and thresholds are taken from settings
  std::optional<std::filesystem::path> directory = std::nullopt;
};

// Calls on_outcome, if there is one, for each classified message in order; options.on_progress counts up to
// EntriesToRead. The run of a cross-validation is the sum of its folds, without curves; of the models it has
// the means of nonzeros, l1_norm, stored_rows, features_seen and sizes, and no other statistics. REQUIRES: no
// directory if there are folds; no model in the directory.
Result<ReplayRun> RunExperiment(const Experiment& experiment, const OnOutcome& on_outcome);

uint64_t EntriesToRead(const TrecIndex& index, uint64_t folds);

}  // namespace thresher::pipeline
