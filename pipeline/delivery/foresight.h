// What a model says of a message that is about to be taught: `learn` asks before it teaches many of one
// class.
//
// Called by `learn` and the daemon. Thread-safety: one thread.
#pragma once

#include "learners/learner.h"
#include "pipeline/error.h"
#include "pipeline/model/model.h"
#include "tokenizer/features.h"
#include "tokenizer/message_key.h"

namespace thresher::pipeline {

struct Foresight {
  bool can_judge = false;  // CanJudge
  bool is_known = false;   // the message was taught under this label before
  double margin = 0;
};

// Whether the model knows both classes, holds none of them back, and agrees with what it was taught last:
// where that was wrong, its correction is not asked about.
bool CanJudge(const Model& model);

Result<Foresight> Foresee(Model& model, const tokenizer::Features& features, Label label,
                          const tokenizer::MessageKeys& keys);

}  // namespace thresher::pipeline
