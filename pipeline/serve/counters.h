// What a daemon counts of one protocol's requests.
//
// Written by WatchedService, read for /metrics. Thread-safety: any threads.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "pipeline/delivery/teaching.h"

namespace thresher::pipeline {

struct Counters {
  using Counter = std::atomic<uint64_t>;

  std::array<Counter, 3> verdicts = {};                   // by Verdict
  std::array<Counter, kTeachResults.size()> taught = {};  // by TeachResult
  Counter forgotten = 0;
  Counter failed = 0;

  // Times of judging a message: times[i] took at most kTimes[i] microseconds, and more than kTimes[i - 1].
  static constexpr std::array<uint64_t, 8> kTimes = {250, 500, 1000, 2500, 5000, 10000, 100000, 1000000};
  std::array<Counter, kTimes.size() + 1> times = {};
  Counter microseconds = 0;  // all together

  void AddTime(uint64_t us) {
    size_t i = 0;
    while (i < kTimes.size() && us > kTimes[i]) ++i;
    times[i].fetch_add(1, std::memory_order_relaxed);
    microseconds.fetch_add(us, std::memory_order_relaxed);
  }
};

}  // namespace thresher::pipeline
