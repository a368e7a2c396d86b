// A multiset of positive numbers that finds the threshold of the ℓ1-ball, and drops all numbers up to it, in
// O(log n): the tree of Duchi et al. (2008), Fig. 3.
//
// Its shape and every sum, to the last bit, is a function of the numbers it holds, whatever the order in
// which they were added and whatever was removed. A hash selects one number in 32 to begin a chunk. Chunks
// are the nodes of a treap; a node's priority is the hash of the first number of its chunk. A node's sums are
// computed from its chunk and its children, never adjusted. k changes, applied together, cost O(k log n).
//
// Used by magnitudes.h. Thread-safety: none.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "learners/magnitudes/magnitude_runs.h"

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

  // A chunk: the numbers from `first` up to the first number of the next chunk. The subtree `below` has the
  // chunks of smaller numbers, `above` those of larger ones. Their sums are stored here, so that a search
  // reads only the nodes on its path.
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

  // Splits the subtree into the chunks that begin below `first` and the others.
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

  std::vector<Node> nodes_;  // [0] stands for no node
  std::vector<Index> free_;
  std::vector<MagnitudeRun> within_chunks_;  // reused by Apply
  std::vector<MagnitudeRun> merged_;         // reused for merged runs
  Index root_ = 0;
  size_t distinct_ = 0;
};

}  // namespace thresher::learners
