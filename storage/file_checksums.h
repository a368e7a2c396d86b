// Reads every block of a model's table files and compares its checksum.
//
// A walk over what is stored misses filters, indexes and blocks of nothing but old versions. Used by
// `thresher check`. Thread-safety: as Database.
#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "storage/database.h"

namespace thresher::storage {

struct FilesRead {
  uint64_t files = 0;
  uint64_t bytes = 0;
};

// Files that a writer has removed since the database was opened are passed over: what they held is in others
// by now.
FilesRead VerifyFileChecksums(const Database& database,
                              const std::function<void(const std::string& what)>& complain);

}  // namespace thresher::storage
