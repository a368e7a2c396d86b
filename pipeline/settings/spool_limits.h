// How many classified messages the spool keeps, how many bytes in all and of one message, and for how long.
//
// A setting; used by the Spool in pipeline/delivery. Thread-safety: a plain value.
#pragma once

#include <cstdint>

namespace thresher::pipeline {

struct SpoolLimits {
  uint64_t max_messages = 10000;
  uint64_t max_bytes = uint64_t{256} << 20;
  uint64_t max_message_bytes = uint64_t{1} << 20;
  double max_age_days = 30;
};

}  // namespace thresher::pipeline
