// What a daemon knows of the log that its model follows, at one moment; or of those of several models.
//
// Made by SharedLog, summed up by Models, shown by /metrics, /stats and /ready. Thread-safety: a plain value.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "pipeline/cluster/nodes.h"

namespace thresher::pipeline {

struct LogFigures {
  std::string stream;
  std::string identity;  // name of the model that was agreed upon; empty while there is none
  std::string trouble;   // why it is not followed; empty if it is
  std::string differs;   // from what models of other nodes this one differs; empty: from none as far as known
  uint64_t position = 0;           // the last record that is applied
  uint64_t last = 0;               // of the log, as far as known
  uint64_t digest_record = 0;      // after which a digest was compared last; 0: none was made
  uint64_t snapshot = 0;           // the record after which the newest snapshot was made; 0: there is none
  std::string snapshot_trouble;    // why this node could not make one, or remove what it replaced; or empty
  bool differs_from_most = false;  // it has stopped applying
  uint64_t outbox = 0;             // operations that the log may not have
  uint64_t outbox_bytes = 0;
  uint64_t applied = 0;     // records since the daemon began: taught or known,
  uint64_t duplicates = 0;  // that came before,
  uint64_t foreign = 0;     // that are no operations of this log
};

// Adds those of one model to those of several: numbers are added up, the position is that of the model with
// the most records to come, and what is wrong is that of the first one that says so.
void AddFigures(const LogFigures& one, LogFigures* all);

// All nodes that were there within a day, as they were seen so many seconds ago.
struct SeenNodes {
  std::vector<NodeEntry> nodes;
  int64_t seconds_ago = 0;
};

// The same, with the model as it is then.
struct LogDescription {
  LogFigures figures;
  std::string digest;  // Model::Digest, at figures.position
  SeenNodes seen;
};

}  // namespace thresher::pipeline
