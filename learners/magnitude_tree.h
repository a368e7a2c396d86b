// A multiset of positive numbers in which the threshold of the ℓ1-ball is found, and all below it dropped, in
// O(log n): the tree of Duchi et al. (2008), Fig. 3.
//
// A treap over the distinct numbers. Whatever order they came in and whatever has been removed, its shape and
// with it every sum, to the last bit, is a function of what it holds: a node's priority is a hash of its
// number, and its sums are made from its children's, never adjusted.
//
// Used by the learners that keep the whole model's magnitudes at hand (magnitudes.h). Thread-safety: none.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace thresher::learners {

// One number, so many times.
struct MagnitudeRun {
  double value = 0;
  uint32_t copies = 0;
};

class MagnitudeTree {
 public:
  MagnitudeTree() : nodes_(1) {}

  // Begins again with these. REQUIRES: distinct, largest first.
  void Assign(std::span<const MagnitudeRun> runs);

  void Add(const MagnitudeRun& run);
  // REQUIRES: it holds at least as many copies.
  void Remove(const MagnitudeRun& run);
  // Removes everything that is not above `shift`.
  void DropUpTo(double shift);

  // Σ max(u − θ, 0) = radius, or `shift` if that is larger, as it is inside the ball.
  double Threshold(double shift, double radius) const;

  uint64_t count() const { return Count(root_); }  // copies counted
  double sum() const { return Sum(root_); }        // likewise
  size_t distinct() const { return nodes_.size() - 1 - free_.size(); }

  // Calls visit(value, copies) for each distinct number, largest first, until it returns false.
  template <class Visit>
  void ForEachDescending(Visit visit) const {
    VisitDescending(root_, visit);
  }

 private:
  using Index = uint32_t;  // in nodes_; 0 = no node

  // `below` are the smaller ones, `above` the larger. Their sums stand here, so that a walk looks at no
  // siblings.
  struct Node {
    double value = 0;
    double below_sum = 0;
    double above_sum = 0;
    Index below = 0;
    Index above = 0;
    uint32_t below_count = 0;
    uint32_t above_count = 0;
    uint32_t copies = 0;
  };

  static uint64_t Priority(double value);
  double Sum(Index node) const;
  uint64_t Count(Index node) const;
  void SetBelow(Index node, Index child);
  void SetAbove(Index node, Index child);
  Index NewNode(const MagnitudeRun& run);
  Index AddTo(Index node, const MagnitudeRun& run, uint64_t priority);
  Index RemoveFrom(Index node, const MagnitudeRun& run);
  // Those not above `value`, and those above.
  void Split(Index node, double value, Index* below, Index* above);
  Index Join(Index below, Index above);
  void Free(Index node);
  void SumUp(Index node);

  template <class Visit>
  bool VisitDescending(Index index, Visit& visit) const {
    if (index == 0) return true;
    const Node& node = nodes_[index];
    return VisitDescending(node.above, visit) && visit(node.value, node.copies) &&
           VisitDescending(node.below, visit);
  }

  std::vector<Node> nodes_;  // the first stands for no node
  std::vector<Index> free_;
  Index root_ = 0;
};

}  // namespace thresher::learners
