// What a replay is summed up by, as text or JSON.
//
// Called by the replay command. Thread-safety: pure functions but for standard output.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "eval/outcome.h"
#include "pipeline/model.h"
#include "pipeline/replay.h"

namespace thresher::pipeline {

struct ReplayRun {
  std::string index;
  std::string preset;
  std::string learner;
  std::string learner_options;
  Thresholds thresholds;
  size_t threads = 1;

  ReplayReport report;
  std::vector<eval::Outcome> outcomes;  // called at the spam threshold
  ModelStatistics statistics;           // at the end
  storage::Database::Sizes sizes;       // compacted
  double seconds = 0;
  long peak_kib = 0;
};

void PrintReplayText(const ReplayRun& run);
void PrintReplayJson(const ReplayRun& run);

}  // namespace thresher::pipeline
