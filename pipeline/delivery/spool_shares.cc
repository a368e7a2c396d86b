#include "pipeline/delivery/spool_shares.h"

#include <algorithm>
#include <bit>
#include <deque>
#include <limits>
#include <map>
#include <numeric>

namespace thresher::pipeline {
namespace {

constexpr int64_t kNsPerHour = 3600 * int64_t{1'000'000'000};
constexpr uint64_t kHoursAtLeast = 4;  // that share all places

// 0: not above its part; then 1, 2, … for up to 2, 4, … times the part.
int SizeClass(uint64_t bytes, const SpoolLimits& limits) {
  const uint64_t part = std::max<uint64_t>(limits.max_bytes / std::max<uint64_t>(limits.max_messages, 1), 1);
  return bytes <= part ? 0 : static_cast<int>(std::bit_width((bytes - 1) / part));
}

// Messages in groups, which lose their oldest.
class Groups {
 public:
  // In the order of time.
  void Add(int64_t group, size_t position, uint64_t weight) {
    Group& its = groups_[group];
    its.members.push_back({position, weight});
    its.weight += weight;
    total_ += weight;
  }
  uint64_t total() const { return total_; }

  // The group with the largest weight from `first` on; of equal ones the lowest. The end if all are empty.
  struct Group {
    struct Member {
      size_t position;
      uint64_t weight;
    };
    std::deque<Member> members;
    uint64_t weight = 0;
  };
  using Iterator = std::map<int64_t, Group>::iterator;
  Iterator Largest(int64_t first) {
    const auto begin = groups_.lower_bound(first);
    const auto largest = std::max_element(
        begin, groups_.end(), [](const auto& a, const auto& b) { return a.second.weight < b.second.weight; });
    return largest == groups_.end() || largest->second.members.empty() ? groups_.end() : largest;
  }
  // The lowest group that is not empty. REQUIRES: there is one.
  Iterator Lowest() {
    while (groups_.begin()->second.members.empty()) groups_.erase(groups_.begin());
    return groups_.begin();
  }
  Iterator End() { return groups_.end(); }

  size_t TakeOldest(Iterator group) {
    const Group::Member oldest = group->second.members.front();
    group->second.members.pop_front();
    group->second.weight -= oldest.weight;
    total_ -= oldest.weight;
    return oldest.position;
  }

 private:
  std::map<int64_t, Group> groups_;
  uint64_t total_ = 0;
};

}  // namespace

std::vector<size_t> WhatLeaves(std::span<const Spooled> spooled, const SpoolLimits& limits,
                               const SpoolRoom& room) {
  std::vector<size_t> by_time(spooled.size());
  std::iota(by_time.begin(), by_time.end(), size_t{0});
  std::stable_sort(by_time.begin(), by_time.end(),
                   [&](size_t a, size_t b) { return spooled[a].time_ns < spooled[b].time_ns; });
  std::vector<size_t> leaving;
  std::vector<bool> leaves(spooled.size());
  const auto leave = [&](size_t position) {
    leaving.push_back(position);
    leaves[position] = true;
  };

  Groups hours;
  for (const size_t position : by_time) {
    if (spooled[position].time_ns < room.oldest_ns) {
      leave(position);
    } else {
      hours.Add(spooled[position].time_ns / kNsPerHour, position, 1);
    }
  }
  const uint64_t quarter = limits.max_messages / kHoursAtLeast;
  while (hours.total() > room.messages) {
    const auto busiest = hours.Largest(std::numeric_limits<int64_t>::min());
    leave(hours.TakeOldest(busiest->second.weight > quarter ? busiest : hours.Lowest()));
  }

  Groups sizes;
  for (const size_t position : by_time) {
    const uint64_t bytes = spooled[position].bytes;
    if (!leaves[position]) sizes.Add(SizeClass(bytes, limits), position, bytes);
  }
  while (sizes.total() > room.bytes) {
    const auto largest = sizes.Largest(1);
    leave(sizes.TakeOldest(largest != sizes.End() ? largest : sizes.Lowest()));
  }
  return leaving;
}

}  // namespace thresher::pipeline
