// A model's open RocksDB database, for the files of this folder.
//
// Opened by Database and NewModel; used by ExampleLog, WeightTable and others through DatabaseAccess, and by
// backup.cc. RocksDB's headers are included here and not in database.h. Thread-safety: as Database.
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
#include "storage/log_prefix.h"
#include "storage/model_meta.h"
#include "storage/rocksdb_options.h"
#include "storage/score_image.h"
#include "storage/sync_mark.h"
#include "storage/writer_lock.h"

namespace thresher::storage {

class DatabaseImpl {
 public:
  // Makes a complete model. REQUIRES: the writer lock; there is no model in `dir`.
  static Result<void> Create(const std::filesystem::path& dir, const Meta& meta);
  // The same in two steps, for a model with content: OpenUnfinished makes an empty database beside the place
  // of the model; when the caller has filled and closed it, Publish makes it the model.
  static Result<std::unique_ptr<DatabaseImpl>> OpenUnfinished(const std::filesystem::path& dir);
  static Result<void> Publish(const std::filesystem::path& dir);
  // Refuses a log of which more was on disk than can be read, unless `give_up` is set: then the rest is lost.
  static Result<std::unique_ptr<DatabaseImpl>> OpenForWriting(const std::filesystem::path& dir,
                                                              WriterLock lock, Durability durability,
                                                              bool give_up = false);
  // The same, but for a rewriting that is due.
  static Result<std::unique_ptr<DatabaseImpl>> OpenAsItIs(const std::filesystem::path& dir,
                                                          std::shared_ptr<const WriterLock> lock,
                                                          Durability durability, bool give_up);
  static Result<std::unique_ptr<DatabaseImpl>> OpenForReading(const std::filesystem::path& dir);
  // The file system through which models are opened from now on. For tests with a disk that fails or loses
  // power, or on which files change at a certain moment.
  static void SetDisk(const std::shared_ptr<rocksdb::FileSystem>& disk);
  // A writer leaves a short log behind, so that the next open has little to replay.
  ~DatabaseImpl();
  DatabaseImpl(const DatabaseImpl&) = delete;
  DatabaseImpl& operator=(const DatabaseImpl&) = delete;

  rocksdb::DB& rocks() const { return *rocks_; }
  rocksdb::ColumnFamilyHandle* family(Family family) const { return families_[static_cast<size_t>(family)]; }
  const std::filesystem::path& dir() const { return dir_; }
  // Of a writer: whether the files are still those of dir(), as WriterLock::CheckPlace says. Whoever writes
  // or removes a file by its path asks first: another model, such as a backup, may have been moved there.
  Result<void> CheckPlace() const { return lock_ ? lock_->CheckPlace(dir_) : Result<void>(); }
  const Meta& meta() const { return meta_; }
  // Called when a checkpoint has replaced the stored texts.
  void set_meta(const Meta& meta) { meta_ = meta; }
  // For a writer: the score image of the last checkpoint, if it has one. Valid until ForgetImage, which
  // whoever makes the next checkpoint calls.
  const ScoreImage* image();
  // The same, but null if its rows have another size.
  const ScoreImage* image(size_t row_bytes);
  void ForgetImage();
  // Removes it from disk.
  Result<void> WithdrawImage() const;
  Durability durability() const { return durability_; }
  // The number of the last example when the model was opened; 0 if there was none.
  uint64_t last_seq() const { return last_seq_; }
  // Which examples are kept. A new extent takes effect with the next checkpoint, which stores it.
  const LogExtent& log_extent() const { return log_extent_; }
  void set_log_extent(const LogExtent& extent) { log_extent_ = extent; }
  void set_last_seq(uint64_t last_seq) { last_seq_ = last_seq; }
  // Expired examples that stay readable as of the next checkpoint, ascending.
  const std::vector<uint64_t>& needed_examples() const { return needed_examples_; }
  void set_needed_examples(std::vector<uint64_t> seqs) { needed_examples_ = std::move(seqs); }
  // The next checkpoint takes away copies of examples (kept_examples.h) that must not stay on disk.
  void set_rewrite_due() { rewrite_due_ = true; }
  bool TakeRewriteDue() { return std::exchange(rewrite_due_, false); }
  uint64_t stored_first_seq() const { return *first_kept_; }
  // Removes expired examples from disk. Called when a checkpoint has stored the extent.
  Result<void> DropExpired();
  // RocksDB's number of the last change.
  uint64_t last_change() const { return rocks_->GetLatestSequenceNumber(); }
  // The largest number of a change that was on disk according to the marks (sync_mark.h).
  Result<uint64_t> LargestSyncedChange() const;
  // Records that all of this is on disk. REQUIRES: it is; and the writer lock.
  Result<void> MarkAllSynced();
  // The largest number of an example that is in the log behind what was read of it; 0 if there is none.
  uint64_t LastUnreadExample() const;

  // A larger checkpoint is written as table files and not as a batch, as every later open would have to
  // replay the batch from the log.
  size_t largest_batch() const { return largest_batch_; }
  // For tests of both forms.
  void set_largest_batch(size_t bytes) { largest_batch_ = bytes; }

  // Writes all of the batch or nothing. After a failure every later write fails with the same error, as only
  // the next open can find out what is on disk. This and what else writes: kMissing as of CheckPlace.
  Result<void> Write(rocksdb::WriteBatch* batch, bool sync);
  // Returns when everything written before is on disk. May be called in any thread, beside the writer.
  Result<void> WaitUntilSynced() {
    if (auto failure = commits_.Failure()) return tl::unexpected(*std::move(failure));
    return synced_change_ >= last_change() ? Result<void>() : commits_.Wait();
  }
  // REQUIRES: what was written before is in files.
  Result<void> Ingest(const std::vector<rocksdb::IngestExternalFileArg>& files);
  // Starts to write RocksDB's memory tables to files; if `wait`, returns when that is done.
  Result<void> Flush(bool wait);
  // Writes everything to files and starts an empty log. What could not be read from the old log is lost.
  Result<void> BeginLogAnew();
  Result<void> Compact();
  // Writes the families that have examples or their keys anew, so that nothing of replaced entries is left on
  // disk.
  Result<void> RewriteExamples();
  // The same if kRewriteDueKey is stored, which is removed then. Whoever replaces entries stores it with
  // them, so that the next writer does what a killed one did not.
  Result<void> RewriteIfDue();
  // For failures in the preparation of a write: returns the error, and every later write returns it as well.
  Result<void> Fail(Error error);

  // The value of a key; nothing if the key is not stored.
  Result<std::optional<std::string>> Get(Family family, std::string_view key) const;
  // Why an iterator over the examples came to none with this number. RocksDB before 8.0 ends a sorted run
  // without an error where it cannot read the next file of it; asked for one example alone, it says why.
  // kCorrupt if the example is not stored.
  Error WhyMissing(uint64_t seq) const;
  // For who has read all examples before `next`, and then found no more: an error if there are more, up to
  // `last`.
  Result<void> CheckEndOfExamples(uint64_t next, uint64_t last) const;
  // The number of files, or levels of files, in which any key may be.
  size_t SortedRuns(Family family) const;
  // A numeric property of a family in RocksDB; 0 if RocksDB does not have it.
  uint64_t Property(Family family, const std::string& name) const;

  Error Failure(const rocksdb::Status& status) const;
  Error Corrupt(std::string_view what) const;

 private:
  enum class Access { kCreate, kWrite, kRead };

  DatabaseImpl(std::filesystem::path dir, Access access) : dir_(std::move(dir)), access_(access) {}
  static std::shared_ptr<rocksdb::FileSystem>& Disk();
  std::shared_ptr<rocksdb::FileSystem> DiskOfWriter() const;
  Result<void> Open();
  rocksdb::Status OpenRocks(LogEnd log_end, uint64_t most_records);
  rocksdb::Status OpenWithLog();
  bool OpenWithTornList();
  Result<void> ReadState(const rocksdb::Status& opened);
  Result<void> CheckLogBegin() const;
  void CloseRocks();
  Result<uint64_t> ReadLastSeq() const;
  Result<void> ReadLogExtent();
  Result<void> CheckWritable() const;
  Result<void> Checked(const rocksdb::Status& status);
  Result<void> Checked(const Result<void>& done);
  Result<void> SyncLog();
  Result<void> NoteSynced(uint64_t change);
  Result<void> WriteMeta(const Meta& meta);
  Result<std::string> ReadIdentity() const;
  void LeaveTidy();
  void WaitForWork() const;
  // Whether a row may be in more than one file.
  bool RowFilesOverlap() const;
  bool IsAtWork() const;
  bool HasManyRuns() const;

  std::filesystem::path dir_;
  Access access_;
  std::shared_ptr<const WriterLock> lock_;  // for a writer; released after RocksDB is closed
  Durability durability_ = Durability::kOs;
  bool uses_log_ = false;         // unless it is damaged
  bool follows_orderly_ = false;  // the logs are as the last writer left them when it closed the model
  std::unique_ptr<rocksdb::Env> env_;
  ListEnd list_end_ = ListEnd::kWhole;
  std::unique_ptr<LogPrefix> log_prefix_;
  std::unique_ptr<rocksdb::DB> rocks_;
  std::vector<rocksdb::ColumnFamilyHandle*> families_;
  Meta meta_;
  std::string format_{kFormat};  // that the store says it has
  uint64_t last_seq_ = 0;
  LogExtent log_extent_;
  std::vector<uint64_t> needed_examples_;
  bool rewrite_due_ = false;
  FirstKept first_kept_ = std::make_shared<std::atomic<uint64_t>>(1);  // as in the stored extent
  std::string identity_;                                               // RocksDB's random name of this store
  std::atomic<uint64_t> synced_change_ = 0;  // the last change that this process knows to be on disk
  std::unique_ptr<SyncMarkFile> mark_file_;  // of a writer
  GroupCommit commits_{[this] { return SyncLog(); }};
  size_t largest_batch_ = kMemtableBytes / 2;
  bool flushed_ = false;  // by a call of Flush
  std::optional<ScoreImage> image_;
  bool looked_for_image_ = false;
  std::optional<Error> failed_;
};

// Gives the other files of this folder the DatabaseImpl of a Database. This header is not included outside
// storage/ and its tests, so no other code can use it.
struct DatabaseAccess {
  static DatabaseImpl& ImplOf(const Database& database) { return *database.impl_; }
};

}  // namespace thresher::storage
