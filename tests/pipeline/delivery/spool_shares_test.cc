// Which messages leave a full spool, beside a twin that looks at all of them for each one that leaves.
#include "pipeline/delivery/spool_shares.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <random>
#include <set>

namespace thresher::pipeline {
namespace {

constexpr int64_t kHour = 3'600'000'000'000;

int ClassOf(uint64_t bytes, uint64_t part) {
  int its = 0;
  for (uint64_t most = part; bytes > most; most *= 2) ++its;
  return its;
}

std::vector<size_t> LeavesOneByOne(const std::vector<Spooled>& spooled, const SpoolLimits& limits,
                                   const SpoolRoom& room) {
  std::vector<size_t> leaving;
  std::set<size_t> left;
  const auto leave = [&](size_t i) {
    leaving.push_back(i);
    left.erase(i);
  };
  for (size_t i = 0; i < spooled.size(); ++i) left.insert(i);
  const auto is_older = [&](size_t a, size_t b) { return spooled[a].time_ns < spooled[b].time_ns; };
  const auto oldest = [&](const auto& is_meant) {
    std::vector<size_t> meant;
    std::copy_if(left.begin(), left.end(), std::back_inserter(meant), is_meant);
    return *std::min_element(meant.begin(), meant.end(), is_older);
  };
  while (!left.empty()) {
    const size_t first = oldest([](size_t) { return true; });
    if (spooled[first].time_ns >= room.oldest_ns) break;
    leave(first);
  }
  while (left.size() > room.messages) {
    std::map<int64_t, uint64_t> hours;
    for (const size_t i : left) ++hours[spooled[i].time_ns / kHour];
    const auto busiest = std::max_element(hours.begin(), hours.end(),
                                          [](const auto& a, const auto& b) { return a.second < b.second; });
    const bool is_burst = busiest->second > limits.max_messages / 4;
    leave(oldest([&](size_t i) { return !is_burst || spooled[i].time_ns / kHour == busiest->first; }));
  }
  const uint64_t part = limits.max_bytes / limits.max_messages;
  while (true) {
    std::map<int, uint64_t> classes;
    uint64_t total = 0;
    for (const size_t i : left) {
      total += spooled[i].bytes;
      classes[ClassOf(spooled[i].bytes, part)] += spooled[i].bytes;
    }
    if (total <= room.bytes) return leaving;
    classes.erase(0);
    const auto largest = std::max_element(classes.begin(), classes.end(),
                                          [](const auto& a, const auto& b) { return a.second < b.second; });
    leave(oldest([&](size_t i) {
      return ClassOf(spooled[i].bytes, part) == (largest == classes.end() ? 0 : largest->first);
    }));
  }
}

TEST(SpoolShares, AreThoseOfTheTwin) {
  std::mt19937_64 random(1);
  const auto below = [&](uint64_t limit) { return random() % limit; };
  for (int round = 0; round < 400; ++round) {
    const SpoolLimits limits{.max_messages = 1 + below(50), .max_bytes = 100 + below(5000)};
    std::vector<Spooled> spooled(below(80));
    for (Spooled& each : spooled) {
      each.bytes = 1 + below(below(4) == 0 ? 400 : 40);
      each.time_ns = static_cast<int64_t>(below(6) * static_cast<uint64_t>(kHour) + below(1000));
    }
    const SpoolRoom room{.messages = below(limits.max_messages + 1),
                         .bytes = below(limits.max_bytes + 1),
                         .oldest_ns = static_cast<int64_t>(below(2)) * kHour};
    EXPECT_EQ(WhatLeaves(spooled, limits, room), LeavesOneByOne(spooled, limits, room)) << round;
  }
}

}  // namespace
}  // namespace thresher::pipeline
