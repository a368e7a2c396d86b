// A model's open RocksDB, as the files of this folder see it.
//
// Made by Database's factories; used by ExampleLog and WeightTable through Database::impl(). RocksDB's
// headers stay behind it. Thread-safety: as Database.
#pragma once

#include <rocksdb/db.h>
#include <rocksdb/write_batch.h>

#include <atomic>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "storage/database.h"
#include "storage/error.h"
#include "storage/expiry_filter.h"
#include "storage/group_commit.h"
#include "storage/log_extent.h"
#include "storage/rocksdb_options.h"
#include "storage/writer_lock.h"

namespace thresher::storage {

class Database::Impl {
 public:
  // Makes a whole model where there is none. REQUIRES: the writer lock.
  static Result<void> Create(const std::filesystem::path& dir, const Meta& meta);
  // The same by parts, for models that begin with more: an empty database apart, which Publish makes the
  // model once it has been filled and closed.
  static Result<std::unique_ptr<Impl>> OpenUnfinished(const std::filesystem::path& dir);
  static Result<void> Publish(const std::filesystem::path& dir);
  // A damaged log is refused if more of it was on disk than can be read, unless `give_up` what cannot.
  static Result<std::unique_ptr<Impl>> OpenForWriting(const std::filesystem::path& dir, WriterLock lock,
                                                      Durability durability, bool give_up = false);
  static Result<std::unique_ptr<Impl>> OpenForReading(const std::filesystem::path& dir);
  // What writers opened from now on reach the disk through: for tests, one that fails or loses power.
  static void SetDisk(const std::shared_ptr<rocksdb::FileSystem>& disk);
  // A writer leaves a short log behind, so that whoever opens next has little to replay.
  ~Impl();
  Impl(const Impl&) = delete;
  Impl& operator=(const Impl&) = delete;

  rocksdb::DB& rocks() const { return *rocks_; }
  rocksdb::ColumnFamilyHandle* family(Family family) const { return families_[static_cast<size_t>(family)]; }
  const std::filesystem::path& dir() const { return dir_; }
  const Meta& meta() const { return meta_; }
  // When a checkpoint has replaced what is stored.
  void set_meta(const Meta& meta) { meta_ = meta; }
  Durability durability() const { return durability_; }
  // The number of the last example when the model was opened; 0 if there was none.
  uint64_t last_seq() const { return last_seq_; }
  // Which examples are kept. What is set is seen from the next checkpoint on, which stores it.
  const LogExtent& log_extent() const { return log_extent_; }
  void set_log_extent(const LogExtent& extent) { log_extent_ = extent; }
  uint64_t stored_first_seq() const { return *first_kept_; }
  // Examples that have expired leave the disk. Called when a checkpoint has stored the extent.
  Result<void> DropExpired();
  // RocksDB's number of the last change there is.
  uint64_t last_change() const { return rocks_->GetLatestSequenceNumber(); }
  // The largest number of a change that the log says was on disk.
  Result<uint64_t> LargestSyncedChange() const;

  // A checkpoint of more bytes makes table files: in the log, whoever opens the model would have to replay
  // it.
  size_t largest_batch() const { return largest_batch_; }
  // For tests of either way.
  void set_largest_batch(size_t bytes) { largest_batch_ = bytes; }

  // All of it or nothing. After a failure every later write fails alike: what is on disk then is for the next
  // open to find out.
  Result<void> Write(rocksdb::WriteBatch* batch, bool sync);
  // Returns when what was written before is on disk. Any thread, beside the one that writes.
  Result<void> WaitUntilSynced() {
    return synced_change_ >= last_change() ? Result<void>() : commits_.Wait();
  }
  Result<void> Ingest(const std::vector<rocksdb::IngestExternalFileArg>& files);
  // Begins to bring what is in memory to its files; returns when that is done if `wait`.
  Result<void> Flush(bool wait);
  // All there is goes to files; what the log could not give is gone.
  Result<void> BeginLogAnew();
  Result<void> Compact();
  // For failures on the way to one of these: returns the error, and so does every later write.
  Result<void> Fail(Error error);

  // The value under a key; nothing if there is none.
  Result<std::optional<std::string>> Get(Family family, std::string_view key) const;
  // A number RocksDB keeps of a family; 0 if it does not.
  uint64_t Property(Family family, const std::string& name) const;

  Error Failure(const rocksdb::Status& status) const;
  Error Corrupt(std::string_view what) const;

 private:
  enum class Access { kCreate, kWrite, kRead };

  Impl(std::filesystem::path dir, Access access) : dir_(std::move(dir)), access_(access) {}
  Result<void> Open(LogEnd log_end);
  Result<uint64_t> ReadLastSeq() const;
  Result<void> ReadLogExtent();
  Result<void> CheckWritable() const;
  Result<void> Checked(const rocksdb::Status& status);
  Result<void> SyncLog();
  Result<void> WriteMeta(const Meta& meta);
  Result<std::string> ReadIdentity() const;
  void LeaveTidy();
  void WaitForWork() const;
  bool IsAtWork() const;
  // Files, or levels of files, of which each may hold any key.
  size_t SortedRuns(Family family) const;

  std::filesystem::path dir_;
  Access access_;
  std::optional<WriterLock> lock_;  // a writer's; released after RocksDB is closed
  Durability durability_ = Durability::kOs;
  std::unique_ptr<rocksdb::Env> env_;  // a writer's
  std::unique_ptr<rocksdb::DB> rocks_;
  std::vector<rocksdb::ColumnFamilyHandle*> families_;
  Meta meta_;
  uint64_t last_seq_ = 0;
  LogExtent log_extent_;
  FirstKept first_kept_ = std::make_shared<std::atomic<uint64_t>>(1);  // of the stored extent
  std::string identity_;                     // RocksDB's name of this store, of random bits
  std::atomic<uint64_t> synced_change_ = 0;  // the last that this process knows to be on disk
  GroupCommit commits_{[this] { return SyncLog(); }};
  size_t largest_batch_ = kLongestWal / 4;
  bool made_files_ = false;  // beside the log
  std::optional<Error> failed_;
};

}  // namespace thresher::storage
