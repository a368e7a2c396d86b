// Copies a model as it is at one moment, while another process or this one may be writing to it.
//
// Called by `thresher backup`, and by a node of a cluster that makes a snapshot. Takes no lock on the model
// and writes nothing into it. Table files never change, so they are hard-linked where the file system allows
// it. Thread-safety: may run beside any other access to the model; one thread per target.
#pragma once

#include <cstdint>
#include <filesystem>

#include "storage/error.h"

namespace thresher::storage {

struct Backup {
  uint64_t tables_linked = 0;
  uint64_t tables_copied = 0;
  uint64_t bytes_copied = 0;
  uint64_t last_seq = 0;  // number of the last example in the log
  uint64_t examples = 0;  // in the log, without those that have expired
};

// Makes a model in `target`, which must not exist or must be empty, and not lie in `dir`. It holds everything
// that was acknowledged before the call and is on disk when this returns. An interrupted backup is not a
// model; the next backup to the same target starts from the beginning.
Result<Backup> BackUp(const std::filesystem::path& dir, const std::filesystem::path& target);

}  // namespace thresher::storage
