// Makes one log of the two that a closed database has: the one that it had when it was opened, and that of
// the writer. And removes logs that nothing was written to.
//
// Of several logs each could make what the later ones hold unreadable, and without this the writer would have
// to make table files. Used by DatabaseImpl when it closes. Thread-safety: one thread, which holds the writer
// lock.
#pragma once

#include <rocksdb/file_system.h>

#include <filesystem>

#include "storage/error.h"

namespace thresher::storage {

// Puts both in the place of the newer one, on disk, and removes the older one. Does nothing if there are not
// exactly two in `path` that are not empty. A process that dies in between leaves both or, for a moment, the
// older one and both: LogPrefix uses each record once. REQUIRES: the older log ends with a whole record; no
// table file was made since the newer one was begun.
Result<void> JoinLogs(const std::filesystem::path& path, rocksdb::FileSystem& disk);

// Whether there is a log that is not empty.
bool HasLog(const std::filesystem::path& path);

// Each writer begins a log. As long as an older one is needed, RocksDB removes none, and whoever opens the
// database reads all. REQUIRES: the database is closed.
void RemoveEmptyLogs(const std::filesystem::path& path);

}  // namespace thresher::storage
