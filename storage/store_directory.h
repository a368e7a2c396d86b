// The paths in a model's directory, and questions about the directory.
//
// Used where a model is opened or made. Thread-safety: pure functions of the file system's state.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

#include "storage/error.h"

namespace thresher::storage {

// The directory of RocksDB, which holds nothing else but the mark of sync_mark.h.
inline constexpr std::string_view kDatabaseName = "db";
std::filesystem::path DatabasePath(const std::filesystem::path& dir);
// Where a new database is made. Renamed to DatabasePath when it is complete, so that DatabasePath never holds
// an incomplete one.
std::filesystem::path UnfinishedPath(const std::filesystem::path& dir);
// Where the table files of a checkpoint are made before the database takes them in.
std::filesystem::path NewTablesPath(const std::filesystem::path& dir);
// The score image, what has changed in it since, and the next one of both until it is complete.
std::filesystem::path ImagePath(const std::filesystem::path& dir);
std::filesystem::path ImageChangesPath(const std::filesystem::path& dir);
std::filesystem::path UnfinishedImagePath(const std::filesystem::path& dir);

// The file that a writer locks, and messages that wait for feedback, which the pipeline puts there.
std::filesystem::path WriterLockPath(const std::filesystem::path& dir);
std::filesystem::path SpoolPath(const std::filesystem::path& dir);

// What a writer says of RocksDB's logs when it closes the store (log_note.h).
std::filesystem::path LogNotePath(const std::filesystem::path& dir);

// Success if a model can be made in `dir`: it does not exist, is empty, or holds only what an interrupted
// creation leaves. Otherwise the reason. REQUIRES: it holds no model.
Result<void> CheckVacant(const std::filesystem::path& dir);

// Whether a directory without a database holds what only a writer leaves that had one. REQUIRES: it holds no
// database.
bool HasLostItsDatabase(const std::filesystem::path& dir);

// A name for the present state of RocksDB's files: it changes whenever files may have become obsolete. Empty
// if there is no readable list of files.
std::string StateName(const std::filesystem::path& dir);

// RocksDB's files with this extension, or all if it is empty.
struct FileTotals {
  uint64_t bytes = 0;
  size_t files = 0;  // that are not empty
};
Result<FileTotals> TotalsOfFiles(const std::filesystem::path& dir, std::string_view extension);

// kDenied if others may write to `dir`, to RocksDB's directory or to the spool (private_directory.h). For a
// writer also if one of them belongs to another user. REQUIRES: `dir` exists.
Result<void> CheckReadableStore(const std::filesystem::path& dir);
Result<void> CheckWritableStore(const std::filesystem::path& dir);

}  // namespace thresher::storage
