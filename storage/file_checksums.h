// Reads every block of a model's table files and verifies its checksum.
//
// Reading all entries (walk.h) does not read filters, indexes and blocks that hold only overwritten entries.
// Used by `thresher check`. Thread-safety: as Database.
#pragma once

#include <cstdint>
#include <functional>

#include "storage/database.h"
#include "storage/error.h"

namespace thresher::storage {

struct FilesRead {
  uint64_t files = 0;
  uint64_t bytes = 0;
};

// Skips files that a writer has removed since the database was opened: their entries are in other files now.
FilesRead VerifyFileChecksums(const Database& database,
                              const std::function<void(const Error& error)>& complain);

}  // namespace thresher::storage
