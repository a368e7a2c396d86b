// Learns an earlier example of the other class again after an example in a long run of one class.
//
// A run of one class pulls what all mail has in common to its side, and with it the mail of the other class.
// The earlier example is drawn from the log by the number of the present one, so it is the same when the log
// is applied again. Thread-safety: one thread at a time.
#pragma once

#include <cstdint>

#include "pipeline/error.h"
#include "pipeline/model/follow_up.h"
#include "pipeline/model/log_policy.h"
#include "pipeline/model/state.h"

namespace thresher::pipeline {

class Rehearsal final : public FollowUp {
 public:
  // Both must outlive it.
  Rehearsal(const ModelState& state, const LogPolicy& policy) : state_(&state), policy_(&policy) {}

  Afterwards OnLesson(const Lesson& lesson) override;

 private:
  Result<void> Rehearse(uint64_t seq, WeightUpdates& weights) const;

  const ModelState* state_;
  const LogPolicy* policy_;
};

}  // namespace thresher::pipeline
