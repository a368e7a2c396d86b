// How much of the log of examples a model keeps.
//
// Part of a model's globals: what expires is decided by the limits that were in force when an example was
// taught. Used by Model, its globals and the identity of a shared log. Thread-safety: a plain value.
#pragma once

#include <cmath>
#include <cstdint>

namespace thresher::pipeline {

struct LogLimits {
  double days = 0;     // 0: for ever
  uint64_t bytes = 0;  // 0: all of it

  bool operator==(const LogLimits&) const = default;
  bool IsSound() const { return std::isfinite(days) && days >= 0; }
};

}  // namespace thresher::pipeline
