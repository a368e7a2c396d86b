// A multiset of positive numbers in which the threshold of the ℓ1-ball is found, and all below it dropped, in
// O(log n): the tree of Duchi et al. (2008), Fig. 3.
//
// Whatever order the numbers came in and whatever has been removed, its shape and with it every sum, to the
// last bit, is a function of what it holds. Every 32nd number, by a hash, begins a chunk; chunks are the
// nodes of a treap whose priorities are hashes of the numbers they begin with. A node's sums are made from
// its chunk and its children, never adjusted. k changes, applied together, cost O(k log n).
//
// Used by the learners that keep the whole model's magnitudes at hand (magnitudes.h). Thread-safety: none.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "learners/magnitude_runs.h"

namespace thresher::learners {

class MagnitudeTree {
 public:
  MagnitudeTree() { Assign({}); }

  // As in MagnitudeRuns.
  void Assign(std::span<const MagnitudeRun> runs);
  void Apply(std::span<const MagnitudeRun> changes);
  void DropUpTo(double shift);
  double Threshold(double shift, double radius) const;
  uint64_t count() const { return Count(root_); }
  double sum() const { return Sum(root_); }
  size_t distinct() const { return distinct_; }
  template <class Visit>
  void ForEachDescending(Visit visit) const {
    VisitDescending(root_, visit);
  }

 private:
  using Index = uint32_t;  // in nodes_; 0 = no node
  using Changes = std::span<const MagnitudeRun>;

  // A chunk: the numbers from `first` to the next chunk's. `below` are chunks of smaller ones, `above` of
  // larger. Their sums stand here, so that a walk looks at no siblings.
  struct Node {
    double first = 0;
    uint64_t priority = 0;
    double sum = 0;
    double below_sum = 0;
    double above_sum = 0;
    uint32_t count = 0;
    uint32_t below_count = 0;
    uint32_t above_count = 0;
    Index below = 0;
    Index above = 0;
    std::vector<MagnitudeRun> runs;  // largest first
  };

  double Sum(Index node) const;
  uint64_t Count(Index node) const;
  void SetBelow(Index node, Index child);
  void SetAbove(Index node, Index child);
  void SetRuns(Index node, std::span<const MagnitudeRun> runs);
  Index NewNode(double first, std::span<const MagnitudeRun> runs);
  void Free(Index node);
  void FreeAll(Index node);

  // Chunks that begin below `first`, and the others.
  void Split(Index node, double first, Index* below, Index* above);
  Index Join(Index below, Index above);
  void SumUp(Index node);

  Changes ChangeRuns(Index node, Changes changes);
  void ChangeChunks(const MagnitudeRun& change);
  std::vector<MagnitudeRun> TakeFromLast(Index node, double value);
  void GiveToLast(Index node, std::span<const MagnitudeRun> runs);

  template <class Visit>
  bool VisitDescending(Index index, Visit& visit) const {
    if (index == 0) return true;
    const Node& node = nodes_[index];
    if (!VisitDescending(node.above, visit)) return false;
    for (const MagnitudeRun& run : node.runs) {
      if (!visit(run.value, run.copies)) return false;
    }
    return VisitDescending(node.below, visit);
  }

  std::vector<Node> nodes_;  // the first stands for no node
  std::vector<Index> free_;
  std::vector<MagnitudeRun> within_chunks_;  // scratch
  std::vector<MagnitudeRun> scratch_;
  Index root_ = 0;
  size_t distinct_ = 0;
};

}  // namespace thresher::learners
