#include "pipeline/serve/line_rate.h"

#include <utility>

namespace thresher::pipeline {

std::optional<uint64_t> LineRate::Allow(Clock::time_point now) {
  const std::lock_guard lock(mutex_);
  if (now - begun_ >= std::chrono::minutes(1)) {
    begun_ = now;
    lines_ = 0;
  }
  if (lines_ == kLinesAMinute) {
    ++left_out_;
    return std::nullopt;
  }
  ++lines_;
  return std::exchange(left_out_, 0);
}

}  // namespace thresher::pipeline
