// What a model does after an example besides learning it: correction.h, rehearsal.h.
//
// Called by LogApplier for each example that it teaches, when the example is new and again when the log is
// applied again. So each must be a function of the log up to this example and of the model as it is then: it
// must not ask for the time, the memory or anything else that may differ the next time. Thread-safety: one
// thread at a time.
#pragma once

#include <cstdint>
#include <functional>

#include "pipeline/error.h"
#include "pipeline/model/evidence.h"
#include "pipeline/model/rehearsal_rule.h"
#include "pipeline/model/weight_updates.h"
#include "storage/found_rows.h"
#include "tokenizer/features.h"

namespace thresher::pipeline {

// An example that is about to be learned. The model has counted it already.
struct Lesson {
  uint64_t seq;      // in the log
  uint64_t message;  // RehearsalMemory::HashOfMessage
  const tokenizer::Features& features;
  // The rows of the features, as they are before it is learned. Only those of a correction are all there: of
  // another new example, rows without a weight may be missing (Trainer::Learn).
  const storage::FoundRows& found;
  double margin;  // its score before it is learned
  Teaching teaching;
  Plan plan;
};

class FollowUp {
 public:
  FollowUp() = default;
  virtual ~FollowUp() = default;
  FollowUp(const FollowUp&) = delete;
  FollowUp& operator=(const FollowUp&) = delete;

  // Asked before the lesson is learned, while `found` shows the rows as they were; what it returns runs
  // afterwards. Empty for nothing. `learned`: what learning the lesson has changed.
  using Afterwards = std::function<Result<void>(const StepResult& learned, WeightUpdates& weights)>;
  virtual Afterwards OnLesson(const Lesson& lesson) = 0;
};

}  // namespace thresher::pipeline
