// Takes forgotten examples out of the log's numbering.
//
// Called by ExampleLog. Thread-safety: one thread.
#pragma once

#include <cstdint>

#include "storage/database_impl.h"
#include "storage/error.h"
#include "storage/example_log.h"

namespace thresher::storage {

struct Renumbered {
  uint64_t dropped = 0;
  uint64_t last_seq = 0;  // of the log afterwards
};

// See ExampleLog::DropForgotten. `log` is that of `impl`.
Result<Renumbered> RenumberExamples(DatabaseImpl& impl, const ExampleLog& log, const GlobalsAfter& globals);

}  // namespace thresher::storage
