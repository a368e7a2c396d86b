// A reply of a named user to a verdict: what it counts more than another example is for this user alone.
//
// A reply takes a long step (learners/ftrl/step_length.h), so that it changes the verdict at once. The
// features of a named user's message are those of all mail and the user's own (tokenizer/user.h). With a long
// step on those of all mail, one user would decide for users who differ. So they are learned as of any other
// example, and only the user's own as of a mistake. These are two steps of the learner, each on other
// features: its clock moves on twice.
//
// A message of 4-grams only has no features of a user's own, nor has one whose features have no text (format
// 5 and earlier). Used by LogApplier and Correction. Thread-safety: one thread at a time.
#pragma once

#include "pipeline/error.h"
#include "pipeline/model/follow_up.h"
#include "pipeline/model/weight_updates.h"
#include "tokenizer/features.h"

namespace thresher::pipeline {

// Whether some features are a user's own.
bool HasOwnPart(const tokenizer::Features& features);

inline bool IsPersonalReply(const Lesson& lesson) {
  return lesson.plan.occasion == learners::Occasion::kMistake && HasOwnPart(lesson.features);
}

// Learns it. Returns whether weights changed.
Result<bool> LearnPersonalReply(const Lesson& lesson, WeightUpdates& weights);

}  // namespace thresher::pipeline
