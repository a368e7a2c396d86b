// Turns failures of the operating system and of RocksDB into errors of this folder.
//
// Used by this folder only, as it includes RocksDB's headers. Thread-safety: pure functions.
#pragma once

#include <rocksdb/status.h>

#include <filesystem>
#include <string_view>

#include "storage/error.h"

namespace thresher::storage {

// An error with the message "DOING: text of the errno" and the kind of that errno.
Error SystemError(int error_number, std::string_view doing);
// The same for `path` of a model that is there and cannot be read.
Error CannotRead(int error_number, const std::filesystem::path& path);

// The error of a RocksDB status that is not ok, for the model in `dir`.
Error RocksError(const rocksdb::Status& status, const std::filesystem::path& dir);

}  // namespace thresher::storage
