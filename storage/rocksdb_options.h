// RocksDB's settings for a model: the column families and every setting that differs from RocksDB's default.
//
// Used where a model is opened. The settings are not part of the format: a store can be opened with others.
// Thread-safety: pure functions.
#pragma once

#include <rocksdb/db.h>
#include <rocksdb/env.h>
#include <rocksdb/file_system.h>

#include <array>
#include <cstddef>
#include <memory>
#include <string_view>
#include <vector>

#include "storage/careful_file_system.h"

namespace thresher::storage {

enum class Family : size_t { kMeta, kWeights, kExamples, kIds, kTokens };

// `meta` is stored in RocksDB's default family, which every database has; the others have these names.
inline constexpr std::array<std::string_view, 5> kFamilyNames = {"meta", "weights", "examples", "ids",
                                                                 "tokens"};
inline constexpr size_t kFamilies = kFamilyNames.size();

// When a family's memory table has so many bytes, all are flushed.
inline constexpr size_t kMemtableBytes = size_t{4} << 20;

// What to do with a log that has a bad record.
enum class LogEnd {
  kTorn,  // use the records before it, as after a crash
  kLost,  // pass all that can be read to a LogPrefix, which decides
};

// What to do with a list of files that has a bad record.
enum class ListEnd {
  kWhole,  // refuse it
  kTorn,   // use the records before it (list_prefix.h)
};

// Of a writer, and of a reader. A writer's starts RocksDB's threads when there is work for them. `in_place`:
// as of CarefulEnv.
std::unique_ptr<rocksdb::Env> WriterEnv(const std::shared_ptr<rocksdb::FileSystem>& disk, InPlace in_place);
std::unique_ptr<rocksdb::Env> ReaderEnv(const std::shared_ptr<rocksdb::FileSystem>& disk, ListEnd list_end);

// `env` must outlive the database.
rocksdb::DBOptions WriterOptions(LogEnd log_end, rocksdb::Env* env);
rocksdb::DBOptions ReaderOptions(LogEnd log_end, rocksdb::Env* env);

// For a writer whose database is open. It opens with WriterOptions by which RocksDB opens few of the tables:
// most writers of one example read none of the rows, and a writer alone removes tables.
rocksdb::Status KeepFilesOpen(rocksdb::DB& rocks);

// In the order of Family. A writer adds its compaction filters.
std::vector<rocksdb::ColumnFamilyDescriptor> AllFamilies();

}  // namespace thresher::storage
