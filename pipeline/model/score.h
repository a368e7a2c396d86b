// What a model says of a message, from the rows of its features.
//
// Called by ModelState and the scorers; the score goes to all who ask for a verdict. Thread-safety: a plain
// value and pure functions.
#pragma once

#include <cstddef>
#include <span>

#include "learners/learner.h"
#include "pipeline/verdict.h"

namespace thresher::pipeline {

class ModelGlobals;

// The number a message is ranked by, and what it means.
struct Score {
  double margin = 0;       // ⟨w,x⟩ + b; (1−ROCA)% ranks by it
  double probability = 0;  // of spam, calibrated on the margins seen before learning
  bool can_tell = true;    // TaughtCounts::CanTell of the model; if not, the probability is ½
};

// Of a model that can tell nothing it is Unsure, whatever the thresholds: ½ is no reason for a verdict.
inline Verdict VerdictOf(const Score& score, const Thresholds& thresholds) {
  return score.can_tell ? thresholds.Decide(score.probability) : Verdict::kUnsure;
}

// rows[i] is the row of x.ids[i], null if there is none or it weighs nothing.
Score ScoreOf(const learners::Learner& learner, const learners::SparseVector& x,
              std::span<const std::byte* const> rows, const ModelGlobals& globals);
// Of a message with this margin.
Score ScoreOf(double margin, const ModelGlobals& globals);

}  // namespace thresher::pipeline
