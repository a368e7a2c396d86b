// Learns some earlier examples of the log again after an example that changed weights: rehearsal_rule.h says
// which.
//
// Thread-safety: one thread at a time.
#pragma once

#include <cstdint>

#include "pipeline/error.h"
#include "pipeline/model/follow_up.h"
#include "pipeline/model/rehearsal_rule.h"
#include "pipeline/model/state.h"

namespace thresher::pipeline {

class Rehearsal final : public FollowUp {
 public:
  // `state` must outlive it.
  explicit Rehearsal(ModelState& state) : state_(&state) {}

  Result<void> OnLogged(const storage::Example& example) override;
  Afterwards OnLesson(const Lesson& lesson) override;

 private:
  Result<void> LearnAgain(const Rehearsed& earlier, WeightUpdates& weights) const;

  ModelState* state_;
  uint64_t message_ = 0;  // of the example logged last
};

}  // namespace thresher::pipeline
