#include "pipeline/distributed/agreement.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <iterator>
#include <span>

#include "learners/distributed/tree_sum.h"

namespace thresher::pipeline {

using learners::distributed::Group;

int FirstFailure(Group& group, const Error* mine) {
  std::vector<double> codes(group.size());
  if (mine != nullptr) codes[group.rank()] = mine->exit_code;
  learners::distributed::TreeSum all(group, {group.size(), group.size()}, codes.size());
  all.Add(codes);
  all.Finish(codes);
  const auto first = std::ranges::find_if(codes, [](double code) { return code != 0; });
  if (first == codes.end()) return 0;
  if (static_cast<size_t>(first - codes.begin()) == group.rank())
    fmt::print(stderr, "thresher: {}\n", mine->message);
  return static_cast<int>(*first);
}

std::vector<uint64_t> Union(Group& group, std::vector<uint64_t> mine) {
  size_t distance = 1;
  for (; distance < group.size() && group.rank() % (2 * distance) == 0; distance *= 2) {
    if (group.rank() + distance >= group.size()) continue;
    uint64_t count = 0;
    group.ReceiveNumbers(group.rank() + distance, std::span(&count, 1));
    std::vector<uint64_t> others(count);
    group.ReceiveNumbers(group.rank() + distance, std::span(others));
    std::vector<uint64_t> both;
    both.reserve(mine.size() + others.size());
    std::ranges::set_union(mine, others, std::back_inserter(both));
    mine = std::move(both);
  }
  if (group.rank() > 0) {
    const uint64_t count = mine.size();
    group.SendNumbers(group.rank() - distance, std::span(&count, 1));
    group.SendNumbers(group.rank() - distance, std::span<const uint64_t>(mine));
  }
  uint64_t count = mine.size();
  group.Broadcast(std::span(&count, 1));
  mine.resize(count);
  group.Broadcast(std::span(mine));
  return mine;
}

}  // namespace thresher::pipeline
