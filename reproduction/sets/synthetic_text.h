// Makes synthetic examples that resemble documents: the frequency of a feature is about 1/rank, and some
// features are twice as frequent in one class.
//
// Called by experiments instead of reading corpora that are not freely available. Thread-safety: a pure
// function.
#pragma once

#include <cstdint>

#include "reproduction/sets/data_set.h"

namespace thresher::reproduction {

struct TextShape {
  size_t examples = 0;
  uint32_t width = 0;        // features
  size_t features = 0;       // of one example
  double informative = 0.3;  // share of features that are more frequent in one class
  double flipped = 0.1;      // share of labels that are wrong
};

// Targets ±1, all values 1.
DataSet MakeSyntheticText(const TextShape& shape, uint64_t seed);

}  // namespace thresher::reproduction
