// A copy of a model as it is at one moment, made while somebody writes it: another process, or this one.
//
// Called by `thresher backup`. Needs no lock on the model and writes nothing into it. Table files, which
// never change, are linked where the file system allows. Thread-safety: beside anything, but one thread per
// target.
#pragma once

#include <cstdint>
#include <filesystem>

#include "storage/error.h"

namespace thresher::storage {

struct Backup {
  uint64_t tables_linked = 0;
  uint64_t tables_copied = 0;
  uint64_t bytes_copied = 0;
  uint64_t last_seq = 0;  // of the log
};

// Makes `target`, which must not exist or be empty, a model: what was acknowledged before the call is in it.
// It is on disk when this returns. A backup that was cut short is no model, and the next one to the same
// target begins anew.
Result<Backup> BackUp(const std::filesystem::path& dir, const std::filesystem::path& target);

}  // namespace thresher::storage
