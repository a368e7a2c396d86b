// Takes back a mistake when the label of an example is corrected.
//
// Where few examples were learned from a feature, a mistake among them is a large part of its weight, and a
// model that has come to the right label by other features does not learn from the correction any more. So
// the mistake is taken back: from each feature by a step divided by the number of examples it was learned
// from.
// Thread-safety: immutable.
#pragma once

#include "pipeline/model/follow_up.h"
#include "pipeline/model/state.h"

namespace thresher::pipeline {

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
