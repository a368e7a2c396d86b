// How many models a daemon has in memory, and what they take. Made by Models for /metrics. Thread-safety: a
// plain value.
#pragma once

#include <cstddef>
#include <cstdint>

namespace thresher::pipeline {

struct ModelFigures {
  size_t open = 0;
  size_t images = 0;
  size_t closing = 0;
  size_t memory_bytes = 0;  // of open ones
  uint64_t opened = 0;      // since the start
  uint64_t closed = 0;
};

}  // namespace thresher::pipeline
