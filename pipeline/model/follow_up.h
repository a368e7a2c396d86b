// What a model does after an example besides learning it: expiry.h, correction.h, rehearsal.h.
//
// Called by Trainer for each example of its log, when it is taught and again when the log is applied again.
// So each must be a function of the log up to this example and of the model as it is then: it must not ask
// for the time, the memory or anything else that may differ the next time. Thread-safety: one thread at a
// time.
#pragma once

#include <cstdint>
#include <functional>

#include "learners/learner.h"
#include "pipeline/error.h"
#include "pipeline/model/taught.h"
#include "pipeline/model/weight_updates.h"
#include "storage/example_log.h"
#include "storage/found_rows.h"
#include "tokenizer/features.h"

namespace thresher::pipeline {

// An example that is about to be learned.
struct Lesson {
  uint64_t seq;  // in the log
  const tokenizer::Features& features;
  const storage::FoundRows& found;  // the rows of the features, as they are before it is learned
  learners::Label label;
  Evidence evidence;
  uint8_t turns;
};

class FollowUp {
 public:
  FollowUp() = default;
  virtual ~FollowUp() = default;
  FollowUp(const FollowUp&) = delete;
  FollowUp& operator=(const FollowUp&) = delete;

  // `example` is the one that is applied next. Called for every example, also one that is not taught.
  virtual Result<void> OnLogged(const storage::Example& /*example*/) { return {}; }

  // Asked before the lesson is learned, while `found` shows the rows as they were; what it returns runs
  // afterwards. Empty for nothing. `updated`: whether learning the lesson changed weights.
  using Afterwards = std::function<Result<void>(bool updated, WeightUpdates& weights)>;
  virtual Afterwards OnLesson(const Lesson& /*lesson*/) { return nullptr; }
};

}  // namespace thresher::pipeline
