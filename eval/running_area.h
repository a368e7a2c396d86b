// The area above the ROC curve of a changing set of messages; a change costs O(log n).
//
// Used by learning_curve.cc. Thread-safety: one thread.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace thresher::eval {

// Counts by level, with sums of all levels below one (a Fenwick tree).
class LevelCounts {
 public:
  explicit LevelCounts(size_t levels) : at_(levels), tree_(levels + 1) {}

  void Add(uint32_t level, int64_t change) {
    at_[level] += change;
    total_ += change;
    for (size_t node = size_t{level} + 1; node < tree_.size(); node += node & (~node + 1))
      tree_[node] += change;
  }
  int64_t At(uint32_t level) const { return at_[level]; }
  int64_t Below(uint32_t level) const {
    int64_t sum = 0;
    for (size_t node = level; node > 0; node &= node - 1) sum += tree_[node];
    return sum;
  }
  int64_t total() const { return total_; }

 private:
  std::vector<int64_t> at_;
  std::vector<int64_t> tree_;
  int64_t total_ = 0;
};

// Levels are those of a Ranking of all messages.
class RunningArea {
 public:
  explicit RunningArea(size_t levels) : counts_{LevelCounts(levels), LevelCounts(levels)} {}

  void Add(uint32_t level, bool spam) {
    doubled_ += Inversions(level, spam);
    counts_[spam ? 1 : 0].Add(level, 1);
  }
  // REQUIRES: the message was added.
  void Remove(uint32_t level, bool spam) {
    counts_[spam ? 1 : 0].Add(level, -1);
    doubled_ -= Inversions(level, spam);
  }
  // In percent; nothing if a class is empty.
  std::optional<double> Area() const {
    const auto pairs = static_cast<double>(counts_[0].total()) * static_cast<double>(counts_[1].total());
    if (pairs == 0) return std::nullopt;
    return 50 * static_cast<double>(doubled_) / pairs;
  }

 private:
  // Twice the number of messages of the other class that stand in the wrong order with one message.
  int64_t Inversions(uint32_t level, bool spam) const {
    const LevelCounts& other = counts_[spam ? 0 : 1];
    const int64_t wrong_side =
        spam ? other.total() - other.Below(level) - other.At(level) : other.Below(level);
    return 2 * wrong_side + other.At(level);
  }

  std::array<LevelCounts, 2> counts_;  // of ham and of spam
  int64_t doubled_ = 0;                // twice the inverted pairs: a tie is half a pair
};

}  // namespace thresher::eval
