#include "learners/distributed/tree_sum.h"

#include <algorithm>

namespace thresher::learners::distributed {

TreeSum::TreeSum(Group& group, const Parts& parts, size_t length)
    : group_(group),
      parts_(parts),
      length_(length),
      first_(parts.FirstOf(group.rank())),
      end_(parts.FirstOf(group.rank() + 1)),
      next_(first_) {}

void TreeSum::Add(std::span<const double> numbers) {
  Node node = {0, next_++};
  std::vector<double> sum(numbers.begin(), numbers.end());
  while (node.index % 2 == 1 && held_.contains(Node{node.level, node.index - 1})) {
    auto left = held_.extract(Node{node.level, node.index - 1});
    AddTo(left.mapped(), sum);
    sum.swap(left.mapped());
    node = {node.level + 1, node.index / 2};
  }
  held_.emplace(node, std::move(sum));
}

void TreeSum::Finish(std::span<double> total) {
  size_t level = 0;
  while ((size_t{1} << level) < parts_.count) ++level;
  Resolve({level, 0});
  if (group_.rank() == 0) std::ranges::copy(held_.begin()->second, total.begin());
  group_.Broadcast(total);
  held_.clear();
  next_ = first_;
}

void TreeSum::AddTo(std::vector<double>& sum, std::span<const double> numbers) const {
  for (size_t j = 0; j < length_; ++j) sum[j] += numbers[j];
}

// Makes the sum of this node, which ends with the owner of its first part. Every process comes by the same
// nodes in the same order, so that none waits for another in a circle.
void TreeSum::Resolve(Node node) {
  const size_t from = node.index << node.level;
  const size_t to = std::min((node.index + 1) << node.level, parts_.count);
  if (to <= first_ || from >= end_ || held_.contains(node)) return;
  const Node left = {node.level - 1, 2 * node.index};
  const Node right = {node.level - 1, 2 * node.index + 1};
  const size_t middle = right.index << right.level;
  Resolve(left);
  if (middle < to) Resolve(right);
  if (!IsOwn(from)) {
    if (middle < to && IsOwn(middle)) {
      group_.SendNumbers(parts_.OwnerOf(from), std::span<const double>(held_.at(right)));
    }
    return;
  }
  auto sum = held_.extract(left);
  if (middle < to && IsOwn(middle)) {
    AddTo(sum.mapped(), held_.at(right));
    held_.erase(right);
  } else if (middle < to) {
    received_.resize(length_);
    group_.ReceiveNumbers(parts_.OwnerOf(middle), std::span(received_));
    AddTo(sum.mapped(), received_);
  }
  sum.key() = node;
  held_.insert(std::move(sum));
}

}  // namespace thresher::learners::distributed
