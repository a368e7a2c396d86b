// Examples shaped like documents: features as frequent as 1/rank, some of them twice as frequent in one
// class.
//
// Stands in for corpora that cannot be had. Thread-safety: a pure function.
#pragma once

#include <cstdint>

#include "reproduction/sets/data_set.h"

namespace thresher::reproduction {

struct TextShape {
  size_t examples = 0;
  uint32_t width = 0;    // features
  size_t features = 0;   // of one example
  double telling = 0.3;  // share of features that prefer a class
  double flipped = 0.1;  // share of labels that are wrong
};

// Targets ±1, all values 1.
DataSet MakeSyntheticText(const TextShape& shape, uint64_t seed);

}  // namespace thresher::reproduction
