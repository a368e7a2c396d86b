// Makes sorted table files beside the database, which then takes all of them in at once.
//
// Used by large checkpoints and renumbering.cc: entries in a table file need not pass through the log and
// RocksDB's memory tables. Thread-safety: different files may be written at the same time.
#pragma once

#include <rocksdb/sst_file_writer.h>
#include <rocksdb/status.h>

#include <array>
#include <cstddef>
#include <filesystem>
#include <functional>

#include "storage/database_impl.h"
#include "storage/error.h"
#include "storage/rocksdb_options.h"

namespace thresher::storage {

class TableFiles {
 public:
  explicit TableFiles(DatabaseImpl& impl) : impl_(&impl) {}
  // Removes files that were not taken in.
  ~TableFiles();
  TableFiles(const TableFiles&) = delete;
  TableFiles& operator=(const TableFiles&) = delete;

  // Makes their directory.
  Result<void> Begin();
  // A family may have so many files, whose ranges of keys do not overlap.
  static constexpr size_t kParts = 2;

  // Makes a file of the family from what fill(file) puts, with ascending keys; no file if it puts nothing.
  Result<void> Write(Family family, const std::function<rocksdb::Status(rocksdb::SstFileWriter&)>& fill,
                     size_t part = 0);
  // The database takes in all files or none. Their entries are newer than everything written before.
  Result<void> TakeIn();

 private:
  std::filesystem::path PathOf(size_t family, size_t part) const;

  DatabaseImpl* impl_;
  std::array<std::array<bool, kParts>, kFamilies> written_{};
};

}  // namespace thresher::storage
