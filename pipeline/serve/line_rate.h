// How many lines the log gets of what any client can cause at any rate: so many a minute; the others are
// counted, so that nobody can fill the disk.
//
// Called by WatchedService before it writes of a request that was refused or failed, and by the daemon before
// it writes of a message that the spool did not keep. Thread-safety: any threads.
#pragma once

#include <chrono>
#include <cstdint>
#include <mutex>
#include <optional>

namespace thresher::pipeline {

class LineRate {
 public:
  using Clock = std::chrono::steady_clock;
  static constexpr uint64_t kLinesAMinute = 60;

  // If a line is to be written: how many were left out before it.
  std::optional<uint64_t> Allow(Clock::time_point now = Clock::now());

 private:
  std::mutex mutex_;
  Clock::time_point begun_ = {};  // the present minute
  uint64_t lines_ = 0;            // in it
  uint64_t left_out_ = 0;         // since the last line
};

}  // namespace thresher::pipeline
