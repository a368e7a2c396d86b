// The sum of a vector of each part, the same to the bit for any number of processes.
//
// Vectors are added in the order of a fixed binary tree over the parts: 0 + 1, 2 + 3, then these two, and so
// on. A process adds up the subtrees of its own parts and sends what remains to the process that has the
// other half; process 0 sends the total to all. A process holds log2(parts) vectors.
//
// Used by the solvers of this folder. Thread-safety: one thread in each process.
#pragma once

#include <compare>
#include <cstddef>
#include <map>
#include <span>
#include <vector>

#include "learners/distributed/group.h"

namespace thresher::learners::distributed {

class TreeSum {
 public:
  TreeSum(Group& group, const Parts& parts, size_t length);

  // The vector of this process's next part, in order.
  void Add(std::span<const double> numbers);
  // All processes: *total is the sum over all parts. REQUIRES: Add was called for each part of this process.
  // The next sum may begin then.
  void Finish(std::span<double> total);

 private:
  // Stands for parts index·2^level … (index + 1)·2^level − 1, those that there are.
  struct Node {
    size_t level;
    size_t index;
    auto operator<=>(const Node&) const = default;  // NOLINT(modernize-use-nullptr): it sees a 0 in <=>
  };

  void Resolve(Node node);
  void AddTo(std::vector<double>& sum, std::span<const double> numbers) const;
  bool IsOwn(size_t part) const { return first_ <= part && part < end_; }

  Group& group_;
  Parts parts_;
  size_t length_;
  size_t first_;  // part of this process
  size_t end_;
  size_t next_;
  std::map<Node, std::vector<double>> held_;  // sums
  std::vector<double> received_;
};

}  // namespace thresher::learners::distributed
