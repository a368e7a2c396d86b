// The multiset of magnitude_tree.h as one sorted array. A set of changes costs O(n) whatever their number,
// but reads memory in order, so that many changes at once are cheaper than in the tree.
//
// A number may have a weight a, for the ball Σ a_i |w_i| ≤ z: the number is then u_i = |v_i|/a_i, and it
// counts a_i² times, because Σ a_i max(|v_i| − θ a_i, 0) = Σ a_i² max(u_i − θ, 0). A shift of all |v_i| by
// a_i Θ is a shift of all u_i by Θ, as without weights. Of equal numbers those of larger weight come first.
//
// The sum, to the last bit, is a function of the numbers it holds. Used by magnitudes.h. Thread-safety: none.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "learners/sums/compensated_sum.h"

namespace thresher::learners {

// A number with its weight and its multiplicity; or, as a change, with the number of copies to add (below 0:
// to remove).
struct MagnitudeRun {
  // What the copies count for. Exact: a square of a float is a double.
  double Mass() const { return static_cast<double>(weight) * static_cast<double>(weight) * copies; }

  double value = 0;
  float weight = 1;
  int32_t copies = 0;
};

// The order of runs and changes.
inline bool IsBefore(const MagnitudeRun& a, const MagnitudeRun& b) {
  return a.value != b.value ? a.value > b.value : a.weight > b.weight;
}

// Whether both hold the same number, however often.
inline bool IsSame(const MagnitudeRun& a, const MagnitudeRun& b) {
  return a.value == b.value && a.weight == b.weight;
}

// Sets *merged to `runs` with `changes` applied. REQUIRES: both are distinct and in order; no change removes
// more copies than there are.
void MergeRuns(std::span<const MagnitudeRun> runs, std::span<const MagnitudeRun> changes,
               std::vector<MagnitudeRun>* merged);

class MagnitudeRuns {
 public:
  // Replaces all numbers. REQUIRES: distinct, in order.
  void Assign(std::span<const MagnitudeRun> runs);
  // REQUIRES: as MergeRuns.
  void Apply(std::span<const MagnitudeRun> changes);
  // Removes every number that is not above `shift`.
  void DropUpTo(double shift);

  // θ with Σ a² max(u − θ, 0) = radius; `shift` if that is larger (the vector is inside the ball).
  double Threshold(double shift, double radius) const;

  // Σ a² and Σ a² u over all numbers, copies included; without weights, their count and sum.
  double mass() const { return mass_.Value(); }
  double sum() const { return sum_.Value(); }
  size_t distinct() const { return runs_.size(); }

  // Calls visit(run) for each distinct number, in order, until it returns false.
  template <class Visit>
  void ForEachDescending(Visit visit) const {
    for (const MagnitudeRun& run : runs_) {
      if (!visit(run)) return;
    }
  }

 private:
  void SumUp();

  std::vector<MagnitudeRun> runs_;  // in order
  std::vector<MagnitudeRun> before_;
  CompensatedSum sum_;
  CompensatedSum mass_;
  bool is_weighted_ = false;  // false: all weights are 1, and the sums are found faster, with the same bits
};

}  // namespace thresher::learners
