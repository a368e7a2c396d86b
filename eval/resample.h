// Bootstrap: how much figures would vary if other messages of the same kind had come.
//
// Used by comparison. Messages are drawn with replacement within each class, so that
// no resample lacks one. Seeded: the same input gives the same interval. Thread-safety: pure functions.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "eval/outcome.h"

namespace thresher::eval {

inline constexpr size_t kResamples = 1000;

// Calls visit(times) `resamples` times, times[i] being how often message i was drawn. `judged` says the class
// of each message.
void ForEachResample(std::span<const Outcome> judged, size_t resamples,
                     const std::function<void(std::span<const uint32_t> times)>& visit);

// The middle 95 % of values. REQUIRES: there are some.
struct Middle {
  double low;
  double high;
};
Middle MiddleOf(std::vector<double> values);

}  // namespace thresher::eval
