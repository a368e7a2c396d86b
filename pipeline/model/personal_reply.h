// A reply of a named user to a verdict: what it counts more than another example is for this user alone.
//
// A reply takes a long step (learners/ftrl/step_length.h), so that it changes the verdict at once. The
// features of a named user's message are those of all mail and the user's own (tokenizer/user.h). With a long
// step on those of all mail, one user would decide for users who differ. So the message is learned as any
// other one is; then the user's own features are learned once more, as a mistake.
//
// Used by LogApplier, and the free functions by Correction, which takes such a reply back. Thread-safety: one
// thread at a time.
#pragma once

#include "learners/learner.h"
#include "pipeline/model/follow_up.h"
#include "pipeline/model/rehearsal_rule.h"
#include "tokenizer/features.h"

namespace thresher::pipeline {

// Whether the message belongs to a named user.
bool HasOwnPart(const tokenizer::Features& features);

// What the example is to the learner as a whole.
learners::Occasion OccasionForAll(const Plan& plan, const tokenizer::Features& features);

class PersonalReply final : public FollowUp {
 public:
  Afterwards OnLesson(const Lesson& lesson) override;
};

}  // namespace thresher::pipeline
