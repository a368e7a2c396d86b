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

namespace thresher::learners {

// One number, so many times; or, as a change, so many copies more or fewer.
struct MagnitudeRun {
  double value = 0;
  int32_t copies = 0;
};

// `runs` with `changes` made. REQUIRES, of both: distinct, largest first; no more copies are removed than
// there are.
void MergeRuns(std::span<const MagnitudeRun> runs, std::span<const MagnitudeRun> changes,
               std::vector<MagnitudeRun>* merged);

class MagnitudeRuns {
 public:
  // Begins again with these. REQUIRES: distinct, largest first.
  void Assign(std::span<const MagnitudeRun> runs);
  // REQUIRES: as MergeRuns.
  void Apply(std::span<const MagnitudeRun> changes);
  // Removes everything that is not above `shift`.
  void DropUpTo(double shift);

  // Σ max(u − θ, 0) = radius, or `shift` if that is larger, as it is inside the ball.
  double Threshold(double shift, double radius) const;

  uint64_t count() const { return count_; }    // copies counted
  double sum() const { return sum_.Value(); }  // likewise
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
