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

// `own`: rows that this process has read, with all their features. Returns the rows of all processes, in the
// order of ranks, for each part of this process with the features of that part. `share` needs its rows not.
std::vector<PartRows> DivideByFeatures(const learners::distributed::Share& share, std::vector<PartRows> own);

}  // namespace thresher::pipeline
