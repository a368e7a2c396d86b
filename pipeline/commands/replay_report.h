// What a replay is summed up by, as text or JSON.
//
// Called by the replay command. Thread-safety: pure functions but for what they write to.
#pragma once

#include <cstddef>
#include <cstdio>
#include <string>
#include <vector>

#include "eval/outcome.h"
#include "pipeline/model.h"
#include "pipeline/replay.h"
#include "pipeline/stress.h"

namespace thresher::pipeline {

struct ReplayRun {
  std::string index;
  std::string preset;
  std::string learner;
  std::string learner_options;
  Thresholds thresholds;
  Stress stress;
  std::string feedback = "all";  // as the command line names it
  size_t threads = 1;

  ReplayReport report;
  std::vector<eval::Outcome> outcomes;  // called at the spam threshold
  ModelStatistics statistics;           // at the end
  storage::Database::Sizes sizes;       // compacted
  double seconds = 0;
  long peak_kib = 0;
};

void PrintReplayText(const ReplayRun& run, std::FILE* to);
void PrintReplayJson(const ReplayRun& run, std::FILE* to);

}  // namespace thresher::pipeline
