// A model's directory: where its parts lie, and whether it is one.
//
// Used where a model is opened or made. Thread-safety: pure functions of the file system's state.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

#include "storage/error.h"

namespace thresher::storage {

// Everything RocksDB writes, away from our own files.
std::filesystem::path DatabasePath(const std::filesystem::path& dir);
// Where a new model is made; renamed to DatabasePath when it is whole, so that the latter is never half-made.
std::filesystem::path UnfinishedPath(const std::filesystem::path& dir);
// Where the table files of a checkpoint are made before the database takes them in.
std::filesystem::path NewTablesPath(const std::filesystem::path& dir);
// The score image, and the next one until it is whole.
std::filesystem::path ImagePath(const std::filesystem::path& dir);
std::filesystem::path UnfinishedImagePath(const std::filesystem::path& dir);

// Nothing if `dir` is no directory, empty, or holds only what a creation that was cut short leaves; else why
// no model can be made there. REQUIRES: it holds no model.
Result<void> CheckVacant(const std::filesystem::path& dir);

// The name of the state RocksDB is at: changes whenever files may have become obsolete. Empty if it cannot
// be told.
std::string StateName(const std::filesystem::path& dir);

// Bytes of RocksDB's files whose names end in `extension` (of all if it is empty).
Result<uint64_t> FileBytes(const std::filesystem::path& dir, std::string_view extension);

// Makes a rename or creation in `dir` survive a crash of the machine.
Result<void> SyncDirectory(const std::filesystem::path& dir);

}  // namespace thresher::storage
