// The daemon's figures in the text format of Prometheus.
//
// Called by the daemon for /metrics. Thread-safety: a pure function of what it is given.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "pipeline/serve/log_figures.h"
#include "pipeline/serve/model_figures.h"
#include "pipeline/serve/watched_service.h"

namespace thresher::pipeline {

struct DaemonFigures {
  bool is_ready = false;
  size_t connections = 0;
  size_t waiting = 0;     // messages to be taught
  uint64_t not_kept = 0;  // messages judged that the spool could not keep
  ModelFigures models = {};
  std::vector<const WatchedService*> protocols;
  std::optional<LogFigures> log = {};  // that the model follows

  // Messages judged, by all protocols.
  uint64_t Judged(Verdict verdict) const;
};

std::string MetricsText(const DaemonFigures& figures);

}  // namespace thresher::pipeline
