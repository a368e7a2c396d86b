#include "learners/magnitude_tree.h"

#include <algorithm>
#include <bit>

namespace thresher::learners {

// A bijection (the finaliser of MurmurHash3), so that distinct numbers have distinct priorities.
uint64_t MagnitudeTree::Priority(double value) {
  auto bits = std::bit_cast<uint64_t>(value);
  bits = (bits ^ (bits >> 33)) * 0xFF51AFD7ED558CCDU;
  bits = (bits ^ (bits >> 33)) * 0xC4CEB9FE1A85EC53U;
  return bits ^ (bits >> 33);
}

double MagnitudeTree::Sum(Index node) const {
  const Node& n = nodes_[node];
  return n.below_sum + n.value * n.copies + n.above_sum;
}

uint64_t MagnitudeTree::Count(Index node) const {
  const Node& n = nodes_[node];
  return uint64_t{n.below_count} + n.copies + n.above_count;
}

void MagnitudeTree::SetBelow(Index node, Index child) {
  Node& n = nodes_[node];
  n.below = child;
  n.below_sum = Sum(child);
  n.below_count = static_cast<uint32_t>(Count(child));
}

void MagnitudeTree::SetAbove(Index node, Index child) {
  Node& n = nodes_[node];
  n.above = child;
  n.above_sum = Sum(child);
  n.above_count = static_cast<uint32_t>(Count(child));
}

MagnitudeTree::Index MagnitudeTree::NewNode(const MagnitudeRun& run) {
  const Node node = {.value = run.value, .copies = run.copies};
  if (free_.empty()) {
    nodes_.push_back(node);
    return static_cast<Index>(nodes_.size() - 1);
  }
  const Index index = free_.back();
  free_.pop_back();
  nodes_[index] = node;
  return index;
}

// Built along its right edge: the nodes still open, each the above-child of the one before, wait on a stack.
// Numbers come smallest first; each takes what it has priority over as its below-child.
void MagnitudeTree::Assign(std::span<const MagnitudeRun> runs) {
  nodes_.assign(1, Node());
  free_.clear();
  std::vector<Index> open;
  for (size_t i = runs.size(); i-- > 0;) {
    const Index node = NewNode(runs[i]);
    const uint64_t priority = Priority(runs[i].value);
    Index below = 0;
    while (!open.empty() && Priority(nodes_[open.back()].value) < priority) {
      below = open.back();
      open.pop_back();
    }
    nodes_[node].below = below;
    if (!open.empty()) nodes_[open.back()].above = node;
    open.push_back(node);
  }
  root_ = open.empty() ? 0 : open.front();
  SumUp(root_);
}

void MagnitudeTree::SumUp(Index node) {
  if (node == 0) return;
  const auto [below, above] = std::pair(nodes_[node].below, nodes_[node].above);
  SumUp(below);
  SumUp(above);
  SetBelow(node, below);
  SetAbove(node, above);
}

void MagnitudeTree::Add(const MagnitudeRun& run) { root_ = AddTo(root_, run, Priority(run.value)); }

MagnitudeTree::Index MagnitudeTree::AddTo(Index node, const MagnitudeRun& run, uint64_t priority) {
  if (node == 0) return NewNode(run);
  const double value = nodes_[node].value;
  if (value == run.value) {
    nodes_[node].copies += run.copies;
    return node;
  }
  if (Priority(value) < priority) {
    Index below = 0;
    Index above = 0;
    Split(node, run.value, &below, &above);
    const Index added = NewNode(run);
    SetBelow(added, below);
    SetAbove(added, above);
    return added;
  }
  if (run.value < value) {
    SetBelow(node, AddTo(nodes_[node].below, run, priority));
  } else {
    SetAbove(node, AddTo(nodes_[node].above, run, priority));
  }
  return node;
}

void MagnitudeTree::Remove(const MagnitudeRun& run) { root_ = RemoveFrom(root_, run); }

MagnitudeTree::Index MagnitudeTree::RemoveFrom(Index node, const MagnitudeRun& run) {
  const Node& n = nodes_[node];
  if (n.value == run.value) {
    if (n.copies != run.copies) {
      nodes_[node].copies -= run.copies;
      return node;
    }
    free_.push_back(node);
    return Join(n.below, n.above);
  }
  if (run.value < n.value) {
    SetBelow(node, RemoveFrom(n.below, run));
  } else {
    SetAbove(node, RemoveFrom(n.above, run));
  }
  return node;
}

void MagnitudeTree::Split(Index node, double value, Index* below, Index* above) {
  if (node == 0) {
    *below = *above = 0;
    return;
  }
  Index part = 0;
  if (nodes_[node].value <= value) {
    Split(nodes_[node].above, value, &part, above);
    SetAbove(node, part);
    *below = node;
  } else {
    Split(nodes_[node].below, value, below, &part);
    SetBelow(node, part);
    *above = node;
  }
}

MagnitudeTree::Index MagnitudeTree::Join(Index below, Index above) {
  if (below == 0 || above == 0) return std::max(below, above);
  if (Priority(nodes_[below].value) > Priority(nodes_[above].value)) {
    SetAbove(below, Join(nodes_[below].above, above));
    return below;
  }
  SetBelow(above, Join(below, nodes_[above].below));
  return above;
}

void MagnitudeTree::DropUpTo(double shift) {
  Index dropped = 0;
  Split(root_, shift, &dropped, &root_);
  Free(dropped);
}

void MagnitudeTree::Free(Index node) {
  if (node == 0) return;
  Free(nodes_[node].below);
  Free(nodes_[node].above);
  free_.push_back(node);
}

// Walks to where the numbers that are above the threshold begin, gathering their sum and count.
double MagnitudeTree::Threshold(double shift, double radius) const {
  double sum = 0;
  uint64_t count = 0;
  for (Index at = root_; at != 0;) {
    const Node& node = nodes_[at];
    const double sum_with = sum + (node.value * node.copies + node.above_sum);
    const uint64_t count_with = count + node.copies + node.above_count;
    const bool is_above = sum_with - static_cast<double>(count_with) * node.value < radius;
    sum = is_above ? sum_with : sum;
    count = is_above ? count_with : count;
    at = is_above ? node.below : node.above;
  }
  return count == 0 ? shift : std::max(shift, (sum - radius) / static_cast<double>(count));
}

}  // namespace thresher::learners
