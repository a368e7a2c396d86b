#include "learners/magnitudes/magnitude_tree.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <utility>

namespace thresher::learners {
namespace {

// A bijection (the finaliser of MurmurHash3), so that distinct numbers have distinct priorities.
uint64_t Hash(double value) {
  auto bits = std::bit_cast<uint64_t>(value);
  bits = (bits ^ (bits >> 33)) * 0xFF51AFD7ED558CCDU;
  bits = (bits ^ (bits >> 33)) * 0xC4CEB9FE1A85EC53U;
  return bits ^ (bits >> 33);
}

// The first chunk begins with 0, which is never one of the numbers.
bool BeginsChunk(double value) {
  constexpr uint64_t kChunk = 32;
  return Hash(value) % kChunk == 0;
}

}  // namespace

double MagnitudeTree::Sum(Index node) const {
  const Node& n = nodes_[node];
  return n.below_sum + n.sum + n.above_sum;
}

uint64_t MagnitudeTree::Count(Index node) const {
  const Node& n = nodes_[node];
  return uint64_t{n.below_count} + n.count + n.above_count;
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

void MagnitudeTree::SetRuns(Index node, std::span<const MagnitudeRun> runs) {
  Node& n = nodes_[node];
  distinct_ += runs.size() - n.runs.size();
  n.runs.assign(runs.begin(), runs.end());
  n.sum = 0;
  n.count = 0;
  for (const MagnitudeRun& run : runs) {
    n.sum += run.value * run.copies;
    n.count += static_cast<uint32_t>(run.copies);
  }
}

MagnitudeTree::Index MagnitudeTree::NewNode(double first, std::span<const MagnitudeRun> runs) {
  if (free_.empty()) {
    free_.push_back(static_cast<Index>(nodes_.size()));
    nodes_.emplace_back();
  }
  const Index index = free_.back();
  free_.pop_back();
  nodes_[index].first = first;
  nodes_[index].priority = Hash(first);
  SetBelow(index, 0);
  SetAbove(index, 0);
  SetRuns(index, runs);
  return index;
}

void MagnitudeTree::Free(Index node) {
  SetRuns(node, {});
  free_.push_back(node);
}

void MagnitudeTree::FreeAll(Index node) {
  if (node == 0) return;
  FreeAll(nodes_[node].below);
  FreeAll(nodes_[node].above);
  Free(node);
}

// Builds the treap along its right edge. The stack has the nodes of that edge, each the above-child of the
// one before. Chunks come smallest first; a new node takes the nodes of lower priority as its below-child.
void MagnitudeTree::Assign(std::span<const MagnitudeRun> runs) {
  nodes_.assign(1, Node());
  free_.clear();
  distinct_ = 0;
  std::vector<Index> open;
  for (double first = 0; first == 0 || !runs.empty();) {
    size_t begin = runs.size();
    while (begin > 0 && (runs[begin - 1].value == first || !BeginsChunk(runs[begin - 1].value))) --begin;
    const Index node = NewNode(first, runs.subspan(begin));
    Index below = 0;
    while (!open.empty() && nodes_[open.back()].priority < nodes_[node].priority) {
      below = open.back();
      open.pop_back();
    }
    nodes_[node].below = below;
    if (!open.empty()) nodes_[open.back()].above = node;
    open.push_back(node);
    runs = runs.first(begin);
    first = runs.empty() ? 1 : runs.back().value;
  }
  root_ = open.front();
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

void MagnitudeTree::Split(Index node, double first, Index* below, Index* above) {
  if (node == 0) {
    *below = *above = 0;
    return;
  }
  Index part = 0;
  if (nodes_[node].first < first) {
    Split(nodes_[node].above, first, &part, above);
    SetAbove(node, part);
    *below = node;
  } else {
    Split(nodes_[node].below, first, below, &part);
    SetBelow(node, part);
    *above = node;
  }
}

MagnitudeTree::Index MagnitudeTree::Join(Index below, Index above) {
  if (below == 0 || above == 0) return std::max(below, above);
  if (nodes_[below].priority > nodes_[above].priority) {
    SetAbove(below, Join(nodes_[below].above, above));
    return below;
  }
  SetBelow(above, Join(below, nodes_[above].below));
  return above;
}

void MagnitudeTree::Apply(Changes changes) {
  within_chunks_.clear();
  for (const MagnitudeRun& change : changes) {
    if (BeginsChunk(change.value)) {
      ChangeChunks(change);
    } else {
      within_chunks_.push_back(change);
    }
  }
  ChangeRuns(root_, within_chunks_);
}

// Applies the changes that belong to the subtree `node`, from the largest on; returns the others, which are
// smaller.
MagnitudeTree::Changes MagnitudeTree::ChangeRuns(Index node, Changes changes) {
  if (node == 0 || changes.empty()) return changes;
  const double first = nodes_[node].first;
  if (changes.front().value >= first) {
    if (nodes_[node].above != 0) {
      changes = ChangeRuns(nodes_[node].above, changes);
      SetAbove(node, nodes_[node].above);
    }
    const auto end = std::ranges::find_if(changes, [&](const MagnitudeRun& c) { return c.value < first; });
    const auto own = changes.first(static_cast<size_t>(end - changes.begin()));
    changes = changes.subspan(own.size());
    if (!own.empty()) {
      MergeRuns(nodes_[node].runs, own, &merged_);
      SetRuns(node, merged_);
    }
  }
  if (changes.empty() || nodes_[node].below == 0) return changes;
  changes = ChangeRuns(nodes_[node].below, changes);
  SetBelow(node, nodes_[node].below);
  return changes;
}

// Adding a number that begins a chunk splits the chunk before it; removing the number joins the two again.
void MagnitudeTree::ChangeChunks(const MagnitudeRun& change) {
  Index before = 0;
  Index chunk = 0;
  Index after = 0;
  Split(root_, change.value, &before, &after);
  Split(after, std::nextafter(change.value, HUGE_VAL), &chunk, &after);
  if (chunk == 0) chunk = NewNode(change.value, TakeFromLast(before, change.value));
  MergeRuns(nodes_[chunk].runs, std::span(&change, 1), &merged_);
  SetRuns(chunk, merged_);
  if (merged_.empty() || merged_.back().value != change.value) {
    Free(chunk);
    GiveToLast(before, merged_);
    chunk = 0;
  }
  root_ = Join(Join(before, chunk), after);
}

// Removes from the last chunk the numbers above `value`, and returns them.
std::vector<MagnitudeRun> MagnitudeTree::TakeFromLast(Index node, double value) {
  std::vector<MagnitudeRun> taken;
  if (nodes_[node].above != 0) {
    taken = TakeFromLast(nodes_[node].above, value);
    SetAbove(node, nodes_[node].above);
    return taken;
  }
  const std::vector<MagnitudeRun> runs = nodes_[node].runs;
  const auto end = std::ranges::find_if(runs, [&](const MagnitudeRun& run) { return run.value <= value; });
  taken.assign(runs.begin(), end);
  SetRuns(node, {end, runs.end()});
  return taken;
}

// Adds to the last chunk. REQUIRES: all of `runs` are above what it has.
void MagnitudeTree::GiveToLast(Index node, std::span<const MagnitudeRun> runs) {
  if (nodes_[node].above != 0) {
    GiveToLast(nodes_[node].above, runs);
    SetAbove(node, nodes_[node].above);
    return;
  }
  std::vector<MagnitudeRun> all(runs.begin(), runs.end());
  all.insert(all.end(), nodes_[node].runs.begin(), nodes_[node].runs.end());
  SetRuns(node, all);
}

// What is left of a chunk whose first number is dropped becomes the first chunk.
void MagnitudeTree::DropUpTo(double shift) {
  Index dropped = 0;
  Split(root_, std::nextafter(shift, HUGE_VAL), &dropped, &root_);
  const std::vector<MagnitudeRun> left = TakeFromLast(dropped, shift);
  FreeAll(dropped);
  root_ = Join(NewNode(0, left), root_);
}

// Searches for the smallest number above the threshold, summing and counting those above.
double MagnitudeTree::Threshold(double shift, double radius) const {
  double sum = 0;
  uint64_t count = 0;
  for (Index at = root_; at != 0;) {
    const Node& node = nodes_[at];
    double sum_with = sum + node.above_sum;
    uint64_t count_with = count + node.above_count;
    size_t taken = 0;
    for (const MagnitudeRun& run : node.runs) {
      const double next_sum = sum_with + run.value * run.copies;
      const uint64_t next_count = count_with + static_cast<uint64_t>(run.copies);
      if (next_sum - static_cast<double>(next_count) * run.value >= radius) break;
      sum_with = next_sum;
      count_with = next_count;
      ++taken;
    }
    // If the largest of the chunk is above the threshold, so is everything in `above`.
    const bool is_above = taken > 0;
    sum = is_above ? sum_with : sum;
    count = is_above ? count_with : count;
    if (is_above && taken < node.runs.size()) break;
    at = is_above ? node.below : node.above;
  }
  return count == 0 ? shift : std::max(shift, (sum - radius) / static_cast<double>(count));
}

}  // namespace thresher::learners
