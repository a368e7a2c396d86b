// The multiset of magnitude_tree.h as one sorted array. A set of changes costs O(n) whatever their number,
// but reads memory in order, so that many changes at once are cheaper than in the tree.
//
// The sum, to the last bit, is a function of the numbers it holds. Used by magnitudes.h. Thread-safety: none.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "learners/sums/compensated_sum.h"

namespace thresher::learners {

// A number with its multiplicity; or, as a change, with the number of copies to add (below 0: to remove).
struct MagnitudeRun {
  double value = 0;
  int32_t copies = 0;
};

// Sets *merged to `runs` with `changes` applied. REQUIRES: both are distinct, largest first; no change
// removes more copies than there are.
void MergeRuns(std::span<const MagnitudeRun> runs, std::span<const MagnitudeRun> changes,
               std::vector<MagnitudeRun>* merged);

class MagnitudeRuns {
 public:
  // Replaces all numbers. REQUIRES: distinct, largest first.
  void Assign(std::span<const MagnitudeRun> runs);
  // REQUIRES: as MergeRuns.
  void Apply(std::span<const MagnitudeRun> changes);
  // Removes every number that is not above `shift`.
  void DropUpTo(double shift);

  // θ with Σ max(u − θ, 0) = radius; `shift` if that is larger (the vector is inside the ball).
  double Threshold(double shift, double radius) const;

  // Count and sum of all numbers, copies included.
  uint64_t count() const { return count_; }
  double sum() const { return sum_.Value(); }
  size_t distinct() const { return runs_.size(); }

  // Calls visit(value, copies) for each distinct number, largest first, until it returns false.
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
