// Which messages leave a full spool: the oldest, but within fair shares, so that no burst of mail takes the
// places of all the rest.
//
// Places: an hour that has more than a quarter of them loses its own oldest first. Bytes: every message may
// have its part, max_bytes / max_messages. Those that take more are put in classes, each of twice the size of
// the one before; the class that takes most bytes loses its oldest first. A sender chooses neither the hour
// nor the sizes of other mail. Called by Spool. Thread-safety: pure functions.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "pipeline/settings/spool_limits.h"

namespace thresher::pipeline {

struct Spooled {
  uint64_t bytes = 0;
  int64_t time_ns = 0;  // since 1970
};

// What may remain.
struct SpoolRoom {
  uint64_t messages = 0;
  uint64_t bytes = 0;
  int64_t oldest_ns = 0;  // time of the oldest message that may remain
};

// The positions of those that leave, so that the others fit into `room`. Shares are those of `limits`.
std::vector<size_t> WhatLeaves(std::span<const Spooled> spooled, const SpoolLimits& limits,
                               const SpoolRoom& room);

}  // namespace thresher::pipeline
