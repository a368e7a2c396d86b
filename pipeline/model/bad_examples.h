// Examples in a model's log that cannot have come from a message, though their checksums are right.
//
// Releases up to 0.1.0 taught such examples from damaged spool files. A rebuild stops at them or leaves them
// out. Called by Model, MessageHistory and `thresher rebuild`. Thread-safety: one thread.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "pipeline/error.h"
#include "pipeline/model/state.h"

namespace thresher::pipeline {

struct BadExample {
  uint64_t seq;
  std::string what;  // is wrong
  std::string message_id;
  std::string digest;
};

// Those of the log and the expired ones that are rehearsed, numbers ascending.
Result<std::vector<BadExample>> FindBadExamples(const ModelState& state);

// kData: names the example and how to mend the model.
Error BadExampleError(uint64_t seq, std::string_view what);

}  // namespace thresher::pipeline
