// Takes back a mistake when the label of an example is corrected.
//
// Where few examples were learned from a feature, a mistake among them is a large part of its weight, and a
// model that has come to the right label by other features does not learn from the correction any more. So
// the mistake is taken back: from each feature by a step divided by the number of examples it was learned
// from.
// Used by Trainer, and SharersOfMistake by bench/choose, which has no store. Thread-safety: immutable.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "learners/learner.h"
#include "pipeline/model/follow_up.h"
#include "pipeline/model/state.h"

namespace thresher::pipeline {

// By what a feature's value is divided in the step that takes a mistake back: the number of examples that the
// row was learned from. 0 if the mistake stays in this row, as these are many, or as it is not live: a
// checkpoint may have removed it, and its counts begin anew when it is next touched.
uint64_t SharersOfMistake(const learners::Learner& learner, const std::byte* row,
                          std::span<const std::byte> globals);

class Correction final : public FollowUp {
 public:
  // `state` must outlive it.
  explicit Correction(const ModelState& state) : state_(&state) {}

  Afterwards OnLesson(const Lesson& lesson) override;

 private:
  tokenizer::Features ShareOfMistake(const Lesson& lesson) const;

  const ModelState* state_;
};

}  // namespace thresher::pipeline
