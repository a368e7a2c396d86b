// Which examples of the log are kept. From the checkpoint on that stores it, nobody sees those before, and
// they leave the disk.
//
// Decided by the caller, who has to decide alike whenever the log is applied again.
// Thread-safety: a plain value.
#pragma once

#include <cstdint>

namespace thresher::storage {

struct LogExtent {
  uint64_t first_seq = 1;
  uint64_t bytes = 0;  // of the examples kept, by LoggedBytes

  bool operator==(const LogExtent&) const = default;
};

}  // namespace thresher::storage
