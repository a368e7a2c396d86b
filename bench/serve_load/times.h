// How long requests took.
//
// Used by serve_load and cluster_lag. Thread-safety: pure functions.
#pragma once

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstddef>
#include <span>

namespace thresher::bench {

using Clock = std::chrono::steady_clock;

inline double MillisecondsSince(Clock::time_point begin) {
  return std::chrono::duration<double, std::milli>(Clock::now() - begin).count();
}

// The least of the numbers that is not below this share of them; 0 if there are none. REQUIRES: they are
// sorted.
inline double Percentile(std::span<const double> sorted, double share) {
  if (sorted.empty()) return 0;
  const auto rank = static_cast<size_t>(std::ceil(share * static_cast<double>(sorted.size())));
  return sorted[std::clamp<size_t>(rank, 1, sorted.size()) - 1];
}

}  // namespace thresher::bench
