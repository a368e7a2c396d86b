// Sorted table files made beside the database, then taken into it all at once.
//
// The way of large checkpoints: what stands in a table file need not pass through the log and the memory
// tables first. Thread-safety: files of different families may be written at a time.
#pragma once

#include <rocksdb/sst_file_writer.h>
#include <rocksdb/status.h>

#include <array>
#include <filesystem>
#include <functional>

#include "storage/database_impl.h"
#include "storage/error.h"
#include "storage/rocksdb_options.h"

namespace thresher::storage {

class TableFiles {
 public:
  explicit TableFiles(Database::Impl& impl) : impl_(&impl) {}
  // Files that were not taken in are gone.
  ~TableFiles();
  TableFiles(const TableFiles&) = delete;
  TableFiles& operator=(const TableFiles&) = delete;

  // Makes room for them.
  Result<void> Begin();
  // Makes the family's file of what fill(file) puts, keys ascending; none if it puts nothing.
  Result<void> Write(Family family, const std::function<rocksdb::Status(rocksdb::SstFileWriter&)>& fill);
  // All of them or none. What they hold is newer than anything written before.
  Result<void> TakeIn();

 private:
  std::filesystem::path PathOf(Family family) const;

  Database::Impl* impl_;
  std::array<bool, kFamilies> written_{};
};

}  // namespace thresher::storage
