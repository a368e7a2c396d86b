// Marks in RocksDB's log that record what was on disk when they were written.
//
// RocksDB reads a log up to the first incomplete record and takes that for the end of the log. After a crash
// of the machine this is right: nothing after it was acknowledged. After damage it is wrong. The two cases
// differ if a later mark says that more was on disk. DatabaseImpl writes a mark with every batch and reads
// them when a log ends with an incomplete record. Thread-safety: pure functions.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

#include "storage/error.h"

namespace thresher::storage {

// The mark that says that all changes up to RocksDB's number `synced` are on disk. `store_identity` is a
// random name, so that nobody can put a valid mark into a message.
std::string SyncMark(std::string_view store_identity, uint64_t synced);

// The largest number in the intact marks of this store in the logs of the model in `dir`; 0 if there are
// none.
Result<uint64_t> LargestSyncMark(const std::filesystem::path& dir, std::string_view store_identity);

}  // namespace thresher::storage
