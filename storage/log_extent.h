// Which examples of the log are kept. When a checkpoint has stored a new extent, earlier examples can no
// longer be read and are removed from disk.
//
// The caller decides, and must decide the same whenever the log is applied again. Used by ExampleLog,
// NewModel and the pipeline's forgetting. Thread-safety: a plain value.
#pragma once

#include <cstdint>

namespace thresher::storage {

struct LogExtent {
  uint64_t first_seq = 1;
  uint64_t bytes = 0;  // sum of LoggedBytes of the examples kept

  bool operator==(const LogExtent&) const = default;
};

}  // namespace thresher::storage
