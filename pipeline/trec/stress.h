// Simulates wrong labels, late and missing feedback, and another share of spam.
//
// Called by replays and bench/choose. The result is an index like any other; feedback that depends on the
// verdict is chosen by Feedback. The same seed gives the same index. Thread-safety: pure functions.
#pragma once

#include <cstdint>
#include <optional>

#include "pipeline/error.h"
#include "pipeline/input/trec_index.h"
#include "pipeline/model/taught.h"
#include "pipeline/verdict.h"

namespace thresher::pipeline {

struct Stress {
  double flip = 0;                             // share of the labels that feedback gives that are wrong
  double share = 1;                            // share of the feedback that is given
  uint64_t delay = 0;                          // messages between a message and its feedback
  std::optional<double> late_spam_share = {};  // of the second half; messages are dropped to reach it
  uint64_t seed = 1;
};

// What teaches a message that was never classified is no feedback, and stays as it is.
// flip and share change feedback that the index itself delays, too; delay does not, it keeps its place.
// REQUIRES, here and below: it is known what late feedback answers (NoteAnswers).

// An error (kUsage) if an option would change nothing: flip and share in an index without feedback, delay in
// one where all feedback has a line of its own.
Result<void> CheckStress(const TrecIndex& index, const Stress& stress);

TrecIndex Stressed(TrecIndex index, const Stress& stress);

// Which classified messages are taught.
enum class Feedback {
  kAll,
  kErrors,  // a user who moves misfiled messages: ham with verdict spam, and spam with another verdict
  kUnsure,  // a filter that asks about messages it is unsure about
};

bool Wants(Feedback feedback, Verdict verdict, bool is_spam);

// A user who will only answer verdicts starts by teaching all mail, until there is a sample of each class.
inline bool IsReply(Feedback feedback, const TaughtCounts& taught) {
  return feedback != Feedback::kAll && taught.KnowsBoth();
}
inline Evidence EvidenceInReplay(Feedback feedback, bool is_reply) {
  if (feedback == Feedback::kAll) return Evidence::kStream;
  return is_reply ? Evidence::kReply : Evidence::kSample;
}

}  // namespace thresher::pipeline
