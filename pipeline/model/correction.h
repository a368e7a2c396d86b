// Takes back a mistake when the label of an example is corrected.
//
// Where few examples were learned from a feature, a mistake among them is a large part of its weight, and a
// model that has come to the right label by other features does not learn from the correction any more. So
// the mistake is taken back: from each feature by a step divided by the number of times it was learned from,
// rehearsal included. A reply may have counted more than once: what is left of that (last_reply.h) is taken
// back from every feature, of a named user's message from rare features of the user's own
// (personal_lesson.h). After a reply that counted less than once, this takes back more than it taught. Used
// by LogApplier, and ValueOfMistake by bench/choose, which has no store. Thread-safety: one thread at a time.
#pragma once

#include <cstddef>
#include <span>

#include "learners/learner.h"
#include "pipeline/model/follow_up.h"
#include "pipeline/model/state.h"

namespace thresher::pipeline {

// The value of a feature in the step that takes a mistake back, `value` being that in its example: divided by
// the number of times that the row was learned from, unless these are many, and `excess` times more. 0 if
// the row is not live: a checkpoint may have removed it, and its counts begin anew when it is next touched.
float ValueOfMistake(const learners::Learner& learner, const std::byte* row,
                     std::span<const std::byte> globals, float value, double excess);

class Correction final : public FollowUp {
 public:
  // `state` must outlive it.
  explicit Correction(ModelState& state) : state_(&state) {}

  Afterwards OnLesson(const Lesson& lesson) override;

 private:
  Afterwards NoteReply(const Lesson& lesson);
  Afterwards TakeBack(const Lesson& lesson);
  tokenizer::Features ShareOfMistake(const Lesson& lesson, double excess) const;

  ModelState* state_;
};

}  // namespace thresher::pipeline
