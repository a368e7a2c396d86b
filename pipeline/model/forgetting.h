// Plans how examples are taken out of a model's log, so that nothing that is made from the log later depends
// on them.
//
// The weights keep what they learned until they are made again (rebuild.h); the result then equals a model
// that was never taught these examples. Called by Model. Thread-safety: one thread.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "pipeline/error.h"
#include "pipeline/model/state.h"
#include "storage/example_log.h"
#include "storage/log_extent.h"

namespace thresher::pipeline {

// What stays of a forgotten example.
storage::Example ForgottenExample(const ModelState& state, uint64_t seq, int64_t time_us);

struct Forgotten {
  uint64_t messages = 0;
  uint64_t examples = 0;                           // a corrected message has several
  std::vector<storage::MessageKeyText> keys = {};  // of messages whose examples could be read
};

// What takes the place of forgotten examples. Texts that only these had go to later examples with the same
// features.
struct ForgettingPlan {
  Forgotten forgotten;
  std::vector<storage::Example> changed;  // see ExampleLog::Replace
  storage::LogExtent extent;
};

// The plan to forget each example of the log for which is_meant is true. Changes nothing.
Result<ForgettingPlan> PlanToForget(const ModelState& state,
                                    const std::function<bool(const storage::Example&)>& is_meant);

}  // namespace thresher::pipeline
