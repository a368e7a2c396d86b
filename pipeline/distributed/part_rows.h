// The rows of a part of the data, and how processes that have read rows divide them by features.
//
// Called by file_share.cc. Thread-safety: one thread in each process.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "learners/distributed/solver.h"

namespace thresher::pipeline {

// Indices are columns, ascending within a row.
struct PartRows {
  std::vector<uint64_t> starts = {0};
  std::vector<uint32_t> indices;
  std::vector<float> values;
  std::vector<float> targets;

  learners::batch::Examples View(uint32_t width) const;
  uint64_t Digest() const;  // XXH3
};

// All processes call it. `own`: the rows that this process has read, with all their features. Returns for
// each part of this process the rows of all processes, in the order of ranks, with the features of that part.
// Does not use share.own.
std::vector<PartRows> DivideByFeatures(const learners::distributed::Share& share, std::vector<PartRows> own);

}  // namespace thresher::pipeline
