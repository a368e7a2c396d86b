// A replay from beginning to end, with what it measured: the outcomes, the model it left, time and memory.
//
// Called by the replay and grid commands. Thread-safety: one thread at a time.
#pragma once

#include <cstddef>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "eval/outcome.h"
#include "pipeline/error.h"
#include "pipeline/input/trec_index.h"
#include "pipeline/model.h"
#include "pipeline/replay.h"
#include "pipeline/settings/settings.h"
#include "pipeline/split.h"

namespace thresher::pipeline {

struct ReplayRun {
  std::string preset;
  std::string learner;
  std::string learner_options;
  ReplayOptions options;

  ReplayReport report;
  std::vector<eval::Outcome> outcomes;  // called at the spam threshold
  ModelStatistics statistics;           // at the end
  storage::Database::Sizes sizes;       // compacted
  double seconds = 0;
  long peak_kib = 0;  // of this process so far
};

using OnOutcome = std::function<void(const TrecEntry& entry, const eval::Outcome& outcome)>;

// What is replayed, and how. Without `directory` the model is a temporary one.
struct Experiment {
  const Settings& settings;
  const TrecIndex& index;
  Split split;
  ReplayOptions options;  // threads and thresholds are those of settings
  std::optional<std::filesystem::path> directory = std::nullopt;
};

// Calls on_outcome, if there is one, for each classified message, in order; options.on_progress counts up to
// EntriesToRead. A cross-validation's run is the sum of its folds, its statistics and sizes their mean, and
// it has no curve. REQUIRES: no directory where there are folds, and no model in it yet.
Result<ReplayRun> RunExperiment(const Experiment& experiment, const OnOutcome& on_outcome);

uint64_t EntriesToRead(const TrecIndex& index, const Split& split);

}  // namespace thresher::pipeline
