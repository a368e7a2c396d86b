// Marks in RocksDB's log that say what was on disk when they were written.
//
// RocksDB reads a log up to the first record that is not whole and takes that for the end. After a crash of
// the machine it is: nobody was promised what comes later. After damage it is not. A mark that lies beyond
// and says that more was on disk tells the two apart. Written with every batch, read when a log is not whole.
// Thread-safety: pure functions.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

#include "storage/error.h"

namespace thresher::storage {

// The mark of a store (named by what nobody can guess and write into a message) of which all changes up to
// RocksDB's number `synced` are on disk.
std::string SyncMark(std::string_view store_identity, uint64_t synced);

// The largest number in whole marks of this store, anywhere in the logs of the model in `dir`; 0 if there are
// none.
Result<uint64_t> LargestSyncMark(const std::filesystem::path& dir, std::string_view store_identity);

}  // namespace thresher::storage
