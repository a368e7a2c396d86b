// Examples in a model's log that nothing can be learned from: they do not match their own checksums, or
// cannot have come from a message.
//
// The former come from a fault of the memory or a damaged block whose checksum is right by chance; releases
// up to 0.1.0 taught the latter from damaged spool files. A rebuild stops at them or leaves them out, and
// what else reads all examples stops. Called by Model, MessageHistory, `thresher rebuild`, fits and exports.
// Thread-safety: one thread.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "pipeline/error.h"
#include "pipeline/model/state.h"
#include "storage/example_log.h"

namespace thresher::pipeline {

struct BadExample {
  uint64_t seq;
  std::string what;                                // is wrong
  std::optional<storage::MessageKeyText> message;  // nothing if it is not known
  bool is_readable = true;                         // it matches its checksum
};

// Those of the log and the expired ones that are rehearsed, numbers ascending.
Result<std::vector<BadExample>> FindBadExamples(const ModelState& state);

// Applies what the log has past the last checkpoint, but for the examples of `bad`; nothing rehearses them
// any more either. For who takes them out of the log next.
Result<void> ApplyLogWithout(const std::vector<BadExample>& bad, ModelState& state);

// What takes the unreadable ones of `bad` out of the log: nothing but their numbers stays. Of their messages,
// other examples stay. REQUIRES: every example is in the weights of the last checkpoint.
Result<void> EmptyUnreadable(ModelState& state, const std::vector<BadExample>& bad);

// kData: names the example and how to mend the model.
Error BadExampleError(uint64_t seq, std::string_view what);

}  // namespace thresher::pipeline
