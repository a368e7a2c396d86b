// Drops the oldest examples from the log, by the limits in the model's globals.
//
// What is kept follows from the log and the limits, the times in the log included. Called by LogApplier.
// Thread-safety: one thread at a time.
#pragma once

#include "pipeline/error.h"
#include "pipeline/model/state.h"
#include "storage/example_log.h"

namespace thresher::pipeline {

class Expiry {
 public:
  // `state` must outlive it. may_expire: else it only keeps count of the log's bytes.
  Expiry(ModelState& state, bool may_expire) : state_(&state), may_expire_(may_expire) {}

  // `example` is in the log and is applied next. To be called for every example, also one that is not taught.
  Result<void> OnLogged(const storage::Example& example);

 private:
  ModelState* state_;
  bool may_expire_;
};

}  // namespace thresher::pipeline
