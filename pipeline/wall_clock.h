// The time that people read: of what is taught, kept and shown. It may go back.
//
// Used by all of the pipeline. Thread-safety: pure functions.
#pragma once

#include <chrono>
#include <cstdint>

namespace thresher::pipeline {

// Since 1970.
inline int64_t UnixNanoseconds() {
  const auto since_1970 = std::chrono::system_clock::now().time_since_epoch();
  return std::chrono::duration_cast<std::chrono::nanoseconds>(since_1970).count();
}
inline int64_t UnixMicroseconds() { return UnixNanoseconds() / 1000; }
inline int64_t UnixSeconds() { return UnixNanoseconds() / 1'000'000'000; }

}  // namespace thresher::pipeline
