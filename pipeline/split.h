// Which messages of a corpus are learned from and which are judged, where it has no order that could say so.
//
// Called by experiments. A split index is an index like any other. Thread-safety: pure functions.
#pragma once

#include <cstdint>
#include <optional>

#include "pipeline/input/trec_index.h"

namespace thresher::pipeline {

struct Split {
  std::optional<uint64_t> shuffle;  // by this seed, before anything else
  double train_first = 0;  // messages, or a share of them below 1; 0: all are classified, then taught
  uint64_t folds = 0;      // of a cross-validation; 0: none
};

// The same for the same seed on every machine.
TrecIndex Shuffled(TrecIndex index, uint64_t seed);

// The first messages are only learned from, the rest only classified. `first`: as in Split.
TrecIndex TrainFirst(TrecIndex index, double first);

// One fold of a cross-validation: what is classified in it comes last and is not learned from, everything
// else is only learned from. Each class is dealt out evenly, in the index's order; what the index only trains
// is in every fold. REQUIRES: fold < folds.
TrecIndex Fold(const TrecIndex& index, uint64_t folds, uint64_t fold);

}  // namespace thresher::pipeline
