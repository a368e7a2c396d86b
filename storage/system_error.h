// Failures of the operating system and of RocksDB as this folder's errors.
//
// Used by this folder only: RocksDB's header stays inside it. Thread-safety: pure functions.
#pragma once

#include <rocksdb/status.h>

#include <filesystem>
#include <string_view>

#include "storage/error.h"

namespace thresher::storage {

// "DOING: what errno says", with the kind that fits.
Error SystemError(int error_number, std::string_view doing);

// For a status that is not ok, got at work on the model in `dir`.
Error RocksError(const rocksdb::Status& status, const std::filesystem::path& dir);

}  // namespace thresher::storage
