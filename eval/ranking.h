// The messages in the order of their scores: what every figure that needs no threshold comes from.
//
// Called by roc, cost, comparison and learning_curve, each of which asks only how many ham and spam stand
// where. Thread-safety: a plain value.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "eval/outcome.h"

namespace thresher::eval {

// How a ham and a spam of the same score stand to each other.
enum class Ties {
  kHalf,  // half in the wrong order: the area does not depend on the order of the file
  kTrec,  // in the wrong order if the spam came first in the file, as the program of the TREC track has it
};

// Neighbours in the order that are of one class, or tied: no figure can tell them apart.
struct Level {
  double lowest = 0;  // score
  uint64_t ham = 0;
  uint64_t spam = 0;
};

struct Ranking {
  std::vector<Level> levels;  // from the hammiest to the spammiest; none is empty
  uint64_t ham = 0;
  uint64_t spam = 0;

  bool HasBothClasses() const { return ham > 0 && spam > 0; }
};

// O(n log n). Of each message the level it stands on goes to *level_of, unless that is null.
// REQUIRES: fewer than 2^32 messages, no score is NaN (ReadResults lets none through, nor do learners make
// one).
Ranking Rank(std::span<const Outcome> outcomes, Ties ties = Ties::kHalf,
             std::vector<uint32_t>* level_of = nullptr);

}  // namespace thresher::eval
