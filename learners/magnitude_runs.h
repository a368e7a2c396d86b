// The multiset of magnitude_tree.h as one sorted array: O(n) whatever the number of changes, but n at the
// speed of reading memory in order, so that many changes at once are cheaper than in the tree.
//
// Sums, to the last bit, are a function of what it holds. Used by magnitudes.h. Thread-safety: none.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "learners/compensated_sum.h"
#include "learners/magnitude_tree.h"

namespace thresher::learners {

// So many copies of a number more, or fewer.
struct MagnitudeChange {
  double value = 0;
  int32_t copies = 0;
};

class MagnitudeRuns {
 public:
  // REQUIRES: distinct, largest first; no more copies are removed than there are.
  void Apply(std::span<const MagnitudeChange> changes);

  // As in MagnitudeTree.
  void Assign(std::span<const MagnitudeRun> runs);
  void DropUpTo(double shift);
  double Threshold(double shift, double radius) const;
  uint64_t count() const { return count_; }
  double sum() const { return sum_.Value(); }
  size_t distinct() const { return runs_.size(); }
  template <class Visit>
  void ForEachDescending(Visit visit) const {
    for (const MagnitudeRun& run : runs_) {
      if (!visit(run.value, run.copies)) return;
    }
  }

 private:
  void SumUp();

  std::vector<MagnitudeRun> runs_;  // largest first
  std::vector<MagnitudeRun> before_;
  CompensatedSum sum_;
  uint64_t count_ = 0;
};

}  // namespace thresher::learners
