// Splits a corpus into messages to learn from and messages to classify, for corpora without an order in time.
//
// Called by experiments. The result is an index like any other. Thread-safety: pure functions.
#pragma once

#include <cstdint>
#include <optional>

#include "pipeline/input/trec_index.h"

namespace thresher::pipeline {

struct Split {
  std::optional<uint64_t> shuffle;  // with this seed, before the split
  double train_first = 0;  // messages, or a share of them below 1; 0: all are classified, then taught
  uint64_t folds = 0;      // of a cross-validation; 0: none
};

// The same order for the same seed on every machine. Late feedback stays behind what it answers.
TrecIndex Shuffled(TrecIndex index, uint64_t seed);

// The first messages are only learned from, by late feedback, too; the rest is only classified, after them.
// `first`: as in Split.
TrecIndex TrainFirst(TrecIndex index, double first);

// One fold of a cross-validation: its messages come last and are only classified; all others are only learned
// from. The messages of each class are distributed evenly over the folds, in the order of the index; messages
// that the index only trains are learned in every fold. No line with the file of a message that the fold
// classifies is learned from. REQUIRES: fold < folds.
TrecIndex Fold(const TrecIndex& index, uint64_t folds, uint64_t fold);

}  // namespace thresher::pipeline
