// Replays a TREC-style corpus to any filter: each message is classified, then trained, in the order of the
// index.
//
// Called by the jig command. Replay does the same for our own models. Thread-safety: as TrecFilter.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "eval/outcome.h"
#include "pipeline/error.h"
#include "pipeline/input/trec_index.h"
#include "pipeline/trec/trec_filter.h"

namespace thresher::pipeline {

struct JigReport {
  uint64_t classified = 0;
  uint64_t trained = 0;
  std::vector<std::string> unreadable;  // "INDEX:LINE: PATH: reason"
  double seconds = 0;                   // from the start of initialize to the end of finalize
  uint64_t state_bytes = 0;             // on disk before finalize, which may remove it
};

// Calls on_step after each line of the index: with the number of lines done, and the outcome if the message
// was classified.
Result<JigReport> Jig(TrecFilter& filter, const TrecIndex& index,
                      const std::function<void(size_t, const eval::Outcome*)>& on_step);

}  // namespace thresher::pipeline
