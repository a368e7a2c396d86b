#include "learners/learner.h"

#include <cstring>

namespace thresher::learners {

Counts Learner::CountsOf(const std::byte* row) {
  Counts counts;
  std::memcpy(&counts, row, sizeof(counts));
  return counts;
}

}  // namespace thresher::learners
