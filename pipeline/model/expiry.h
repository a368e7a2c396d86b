// Drops the oldest examples from the log, by the limits in the model's globals.
//
// What is kept follows from the log and the limits, the times in the log included. Thread-safety: one thread
// at a time.
#pragma once

#include "pipeline/error.h"
#include "pipeline/model/follow_up.h"
#include "pipeline/model/state.h"

namespace thresher::pipeline {

class Expiry final : public FollowUp {
 public:
  // `state` must outlive it. may_expire: else it only keeps count of the log's bytes.
  Expiry(ModelState& state, bool may_expire) : state_(&state), may_expire_(may_expire) {}

  Result<void> OnLogged(const storage::Example& example) override;

 private:
  ModelState* state_;
  bool may_expire_;
};

}  // namespace thresher::pipeline
