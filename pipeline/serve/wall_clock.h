// The time that people read, for what the page shows.
//
// Called by ModelService, WatchedService, doubt_run.cc and daemon.cc. Thread-safety: pure functions.
#pragma once

#include <chrono>
#include <cstdint>

namespace thresher::pipeline {

// Since 1970.
inline int64_t UnixMicroseconds() {
  return std::chrono::duration_cast<std::chrono::microseconds>(
             std::chrono::system_clock::now().time_since_epoch())
      .count();
}
inline int64_t UnixSeconds() { return UnixMicroseconds() / 1000000; }

}  // namespace thresher::pipeline
