// Learns some earlier examples of the log again after an example that changed weights: rehearsal_rule.h says
// which.
//
// Called by LogApplier. Thread-safety: one thread at a time.
#pragma once

#include <cstdint>
#include <vector>

#include "pipeline/error.h"
#include "pipeline/model/follow_up.h"
#include "pipeline/model/rehearsal_features.h"
#include "pipeline/model/rehearsal_rule.h"
#include "pipeline/model/state.h"
#include "storage/found_rows.h"

namespace thresher::pipeline {

class Rehearsal final : public FollowUp {
 public:
  // `state` must outlive it.
  explicit Rehearsal(ModelState& state);

  Afterwards OnLesson(const Lesson& lesson) override;

 private:
  Result<void> LearnEarlier(const Rehearsed& earlier, WeightUpdates& weights);
  // Whether learning the example in ids_ and values_ again would change nothing.
  Result<bool> IsLearned(const Rehearsed& earlier);

  ModelState* state_;
  RehearsalFeatures features_;

  // Kept to save allocations.
  storage::FoundRows found_;
  std::vector<uint64_t> ids_;
  std::vector<float> values_;
};

}  // namespace thresher::pipeline
