// The messages in the order of their scores, from which all figures without a threshold are computed.
//
// Called by roc, cost, comparison and learning_curve, which need only the number of ham and spam at each
// level. Thread-safety: a plain value.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "eval/outcome.h"

namespace thresher::eval {

// The order of a ham and a spam with the same score.
enum class Ties {
  kHalf,  // half in the wrong order: the area does not depend on the order of the file
  kTrec,  // in the wrong order if the spam came first in the file: the rule of the TREC track's program
};

// Neighbours in the ranking that are of one class, or tied: their order changes no figure.
struct Level {
  double lowest = 0;  // score
  uint64_t ham = 0;
  uint64_t spam = 0;
};

struct Ranking {
  std::vector<Level> levels;  // ascending scores; none is empty
  uint64_t ham = 0;
  uint64_t spam = 0;

  bool HasBothClasses() const { return ham > 0 && spam > 0; }
};

// O(n log n). Writes the level of each message to *level_of, unless that is null. REQUIRES: fewer than 2^32
// messages; no score is NaN (ResultReader rejects NaN, and learners never compute it).
Ranking Rank(std::span<const Outcome> outcomes, Ties ties = Ties::kHalf,
             std::vector<uint32_t>* level_of = nullptr);

}  // namespace thresher::eval
