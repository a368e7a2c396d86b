// Finds the lines of two result files that are about the same message.
//
// Called by the commands eval and fuse. Thread-safety: pure functions.
#pragma once

#include <cstdint>
#include <vector>

#include "eval/outcome.h"

namespace thresher::eval {

// The messages that two result files have in common, and why the others cannot be compared.
struct Pairing {
  struct Pair {
    uint32_t first;  // index into the first file's outcomes
    uint32_t second;
  };
  std::vector<Pair> pairs;  // in the order of the first file
  uint64_t only_in_first = 0;
  uint64_t only_in_second = 0;
  uint64_t repeated = 0;            // lines with the path of an earlier line in the same file, which counts
  uint64_t judged_differently = 0;  // left out of pairs

  bool IsWhole() const { return only_in_first + only_in_second + repeated + judged_differently == 0; }
};

// Messages with equal paths are the same. O(n log n). REQUIRES: fewer than 2^32 lines each.
Pairing PairUp(const Results& first, const Results& second);

}  // namespace thresher::eval
