// A harder world than a corpus shows: wrong labels, late and partial feedback, another share of spam.
//
// Called by the replay command. A stressed index is an index like any other; what depends on the verdict is
// Feedback's. The same seed gives the same index. Thread-safety: pure functions.
#pragma once

#include <cstdint>
#include <optional>

#include "pipeline/input/trec_index.h"
#include "pipeline/verdict.h"

namespace thresher::pipeline {

struct Stress {
  double flip = 0;                             // share of the taught labels that are wrong
  double share = 1;                            // … of the classified messages that are taught at all
  uint64_t delay = 0;                          // messages between a message and its feedback
  std::optional<double> late_spam_share = {};  // of the second half; messages are dropped to reach it
  uint64_t seed = 1;
};

// Only what is both classified and trained is stressed; the rest stays in its place.
TrecIndex Stressed(TrecIndex index, const Stress& stress);

// Which classified messages are taught.
enum class Feedback {
  kAll,
  kErrors,  // a reader who moves what lies in the wrong folder: ham called spam, spam that was not
  kUnsure,  // a filter that asks where it does not know
};

bool Wants(Feedback feedback, Verdict verdict, bool is_spam);

}  // namespace thresher::pipeline
