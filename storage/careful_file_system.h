// The file system that RocksDB writes through: it deletes no file after a failure to write RocksDB's list of
// files, and in a folder that took the place of the model's it opens no table, and makes, renames or removes
// nothing.
//
// When RocksDB fails to write a change to its list of files (MANIFEST), it assumes that the change was not
// made and deletes the table files that came with it. But the change may be on disk, and a model whose list
// names missing files cannot be opened. Files that are not in the list only take up space, until the next
// writer removes them.
// RocksDB names its files by their paths, and when it is closed it deletes what it does not know in the
// folder of that name: all of another model, if the one that is open was moved away and another one, such as
// a backup, is in its place.
// It makes no file of RocksDB's options, which would take two of the ten syncs of a writer of one example.
// Called by rocksdb_options.cc and database_opening.cc. Thread-safety: any number of threads; one object for
// each open database.
#pragma once

#include <rocksdb/env.h>
#include <rocksdb/file_system.h>

#include <filesystem>
#include <functional>
#include <memory>

#include "storage/error.h"

namespace thresher::storage {

// Whether the folder of the database is still where it was opened. Called in RocksDB's threads.
using InPlace = std::function<bool()>;

// Forwards to `base`. REQUIRES: outlives the database.
std::unique_ptr<rocksdb::Env> CarefulEnv(const std::shared_ptr<rocksdb::FileSystem>& base, InPlace in_place);

// Syncs the logs in `path` that other processes may have left unsynced. RocksDB treats what it reads from
// them as durable; if they were torn later, everything synced after them would be lost too.
Result<void> SyncLogs(const std::filesystem::path& path, rocksdb::FileSystem& disk);

}  // namespace thresher::storage
