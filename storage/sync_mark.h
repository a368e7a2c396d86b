// Marks that record what was on disk when they were written.
//
// RocksDB reads a log up to the first incomplete record and takes that for the end of the log. After a crash
// of the machine this is right: nothing after it was acknowledged. After damage it is wrong. The two cases
// differ if a mark says that more was on disk. DatabaseImpl writes a mark with every batch, which tells of
// what earlier batches held, and one into a file after every sync, which tells of the last ones, too. That
// file is not synced: a crash of the machine may leave an older mark in it or none, which says less, and
// never one that says too much. Used by DatabaseImpl and where it is opened. Thread-safety: that of each
// class and function.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <utility>

#include "storage/descriptor.h"
#include "storage/error.h"

namespace thresher::storage {

// The mark that says that all changes up to RocksDB's number `synced` are on disk. `store_identity` is a
// random name, so that nobody can put a valid mark into a message.
std::string SyncMark(std::string_view store_identity, uint64_t synced);

// The largest number in the intact marks of this store in the logs and the mark file of the model in `dir`; 0
// if there are none.
Result<uint64_t> LargestSyncMark(const std::filesystem::path& dir, std::string_view store_identity);

// The file with the latest mark, in RocksDB's directory, so that it goes where the database goes. Written by
// any thread.
class SyncMarkFile {
 public:
  // Of the model in `dir`; made if it is missing. For its writer only.
  static Result<std::unique_ptr<SyncMarkFile>> Open(const std::filesystem::path& dir);

  // Puts `mark` in the place of the one there.
  Result<void> Write(std::string_view mark);

 private:
  SyncMarkFile(Descriptor file, std::filesystem::path path)
      : file_(std::move(file)), path_(std::move(path)) {}

  const Descriptor file_;
  const std::filesystem::path path_;
  std::mutex mutex_;
};

}  // namespace thresher::storage
