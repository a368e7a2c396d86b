// What RocksDB's writers reach the disk through: it deletes nothing once its list of files is in doubt.
//
// When RocksDB cannot bring a change of its list of files (MANIFEST) to the disk, it takes the change for
// not made and deletes the table files that came with it. But the change may be on disk, and a model whose
// list names files that are gone cannot be opened. Files that are not named only take up room, until the next
// writer removes them. Thread-safety: any number of threads; one for each open database.
#pragma once

#include <rocksdb/env.h>
#include <rocksdb/file_system.h>

#include <filesystem>
#include <memory>

#include "storage/error.h"

namespace thresher::storage {

// Over `base`, which does the work. The database must be closed before it goes.
std::unique_ptr<rocksdb::Env> CarefulEnv(const std::shared_ptr<rocksdb::FileSystem>& base);

// Brings logs in `path` that other processes may have left unsynced to the disk. RocksDB takes what it reads
// from them for written, and what is synced after it would be cut off if they were torn.
Result<void> SyncLogs(const std::filesystem::path& path, rocksdb::FileSystem& disk);

}  // namespace thresher::storage
