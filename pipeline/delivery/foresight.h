// What a model says of a message that is about to be taught: `learn` asks before it teaches many of one
// class.
//
// Called by `learn` and the daemon. Thread-safety: one thread.
#pragma once

#include <cstddef>

#include "learners/learner.h"
#include "pipeline/error.h"
#include "pipeline/model/model.h"
#include "tokenizer/features.h"
#include "tokenizer/message_key.h"

namespace thresher::pipeline {

struct Foresight {
  bool can_judge = false;  // CanJudge
  bool is_known = false;   // the message was taught under this label before
  bool corrects = false;   // under the other one
  double margin = 0;
};

// Whether the model knows both classes, holds none of them back, and agrees with what it was taught last:
// where that was wrong, its correction is not asked about.
bool CanJudge(const Model& model);

// When `learn` asks for --force. So many messages of one class that are not known as such are held back and
// judged. If the model contradicts most of them, it is taught the first few, and the others are judged again:
// with right labels it agrees then, even if it never saw such mail, and with wrong ones it does not.
// docs/learning-measured.md has the measurements. What was learned already is judged by
// Contradictions::AreMany and RecentExamples::AreDoubtful.
struct ForceRule {
  static constexpr size_t kHeld = 20;
  static constexpr size_t kTried = 3;
  static constexpr size_t kMostContradicted = 8;  // of the others

  // Of the messages held back. Fewer say nothing.
  static constexpr bool AreDoubtful(size_t held, size_t contradicted) {
    return held == kHeld && 2 * contradicted > kHeld;
  }
  // Of the others, after the first few were taught.
  static constexpr bool AreWrong(size_t contradicted) { return contradicted > kMostContradicted; }
};

// Teaches nothing. is_known: one of `keys` was taught, and of the unkeyed one a message that is alike
// (FindKnown). An error if the store cannot be read.
Result<Foresight> Foresee(Model& model, const tokenizer::Features& features, Label label,
                          const tokenizer::MessageKeys& keys);

}  // namespace thresher::pipeline
