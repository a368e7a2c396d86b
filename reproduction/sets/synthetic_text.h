// Examples shaped like documents: features as frequent as 1/rank, labels that follow a few hidden weights.
//
// Stands in for corpora that cannot be had. Thread-safety: a pure function.
#pragma once

#include <cstdint>

#include "reproduction/sets/data_set.h"

namespace thresher::reproduction {

struct TextShape {
  size_t examples = 0;
  uint32_t width = 0;      // features
  size_t features = 0;     // of one example
  double relevant = 0.05;  // share of features with a hidden weight
  double flipped = 0.05;   // share of labels that are wrong
};

// Targets ±1, all values 1.
DataSet MakeSyntheticText(const TextShape& shape, uint64_t seed);

}  // namespace thresher::reproduction
