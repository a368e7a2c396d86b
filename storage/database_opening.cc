// How DatabaseImpl opens RocksDB: as a new model, as the only writer, or as one of the readers.
#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <string>
#include <system_error>
#include <utility>

#include "storage/byte_order.h"
#include "storage/careful_file_system.h"
#include "storage/database_impl.h"
#include "storage/example_codec.h"
#include "storage/join_logs.h"
#include "storage/late_list.h"
#include "storage/list_prefix.h"
#include "storage/log_note.h"
#include "storage/model_meta.h"
#include "storage/store_directory.h"
#include "storage/sync_mark.h"
#include "storage/system_error.h"
#include "storage/write_file.h"

namespace thresher::storage {

Result<void> DatabaseImpl::Create(const std::filesystem::path& dir, const Meta& meta) {
  {
    const auto unfinished = OpenUnfinished(dir);
    if (!unfinished) return tl::unexpected(unfinished.error());
    if (auto written = (*unfinished)->WriteMeta(meta); !written) return written;
    // What the model is must not depend on the log.
    if (auto flushed = (*unfinished)->Flush(/*wait=*/true); !flushed) return flushed;
  }
  return Publish(dir);
}

Result<std::unique_ptr<DatabaseImpl>> DatabaseImpl::OpenUnfinished(const std::filesystem::path& dir) {
  std::error_code error;  // RocksDB reports what could not be removed
  std::filesystem::remove_all(UnfinishedPath(dir), error);
  std::unique_ptr<DatabaseImpl> impl(new DatabaseImpl(dir, Access::kCreate));
  if (auto opened = impl->Open(); !opened) return tl::unexpected(opened.error());
  return impl;
}

Result<void> DatabaseImpl::Publish(const std::filesystem::path& dir) {
  std::error_code error;
  std::filesystem::rename(UnfinishedPath(dir), DatabasePath(dir), error);
  if (error)
    return tl::unexpected(
        SystemError(error.value(), fmt::format("cannot create {}", DatabasePath(dir).string())));
  return SyncDirectory(dir);
}

Result<std::unique_ptr<DatabaseImpl>> DatabaseImpl::OpenForWriting(const std::filesystem::path& dir,
                                                                   WriterLock lock, Durability durability,
                                                                   bool give_up) {
  auto impl = OpenAsItIs(dir, std::make_shared<const WriterLock>(std::move(lock)), durability, give_up);
  if (!impl || give_up || (*impl)->RewriteIfDue()) return impl;
  // Damage, or a full disk: it stays due, and nothing else needs it. RocksDB writes nothing after a failure.
  const std::shared_ptr<const WriterLock> kept = (*impl)->lock_;
  impl->reset();
  return OpenAsItIs(dir, kept, durability, give_up);
}

Result<std::unique_ptr<DatabaseImpl>> DatabaseImpl::OpenAsItIs(const std::filesystem::path& dir,
                                                               std::shared_ptr<const WriterLock> lock,
                                                               Durability durability, bool give_up) {
  std::unique_ptr<DatabaseImpl> impl(new DatabaseImpl(dir, Access::kWrite));
  impl->lock_ = std::move(lock);
  impl->durability_ = durability;
  std::error_code error;  // files left by an interrupted checkpoint only take up space
  std::filesystem::remove_all(NewTablesPath(dir), error);
  const LogNote note = TakeLogNote(dir);
  impl->follows_orderly_ = note != LogNote::kNone && !give_up;
  if (note != LogNote::kSameOnDisk) {
    if (auto synced = SyncLogs(DatabasePath(dir), *Disk()); !synced) return tl::unexpected(synced.error());
  }
  // Before RocksDB opens it for writing and removes logs of which it can use nothing, and tables that its
  // list of files does not name.
  if (note == LogNote::kNone && !give_up) {
    if (auto whole = Database::CheckLog(dir); !whole) return tl::unexpected(whole.error());
  }
  const bool has_log = HasLog(DatabasePath(dir));
  if (auto opened = impl->Open(); !opened) return tl::unexpected(opened.error());
  if (auto marked = impl->MarkAllSynced(); !marked) return tl::unexpected(marked.error());
  // Of a log whose first record is torn RocksDB knows no change, and so uses no later log. Nothing may be
  // acknowledged behind it.
  if (has_log && impl->uses_log_ && impl->log_prefix_->used() == 0) {
    if (auto begun = impl->BeginLogAnew(); !begun) return tl::unexpected(begun.error());
  }
  if (impl->image() == nullptr) static_cast<void>(impl->WithdrawImage());  // the next checkpoint tries again
  return impl;
}

Result<std::unique_ptr<DatabaseImpl>> DatabaseImpl::OpenForReading(const std::filesystem::path& dir) {
  std::unique_ptr<DatabaseImpl> impl(new DatabaseImpl(dir, Access::kRead));
  if (auto opened = impl->Open(); !opened) return tl::unexpected(opened.error());
  return impl;
}

std::shared_ptr<rocksdb::FileSystem>& DatabaseImpl::Disk() {
  static std::shared_ptr<rocksdb::FileSystem> disk = rocksdb::FileSystem::Default();
  return disk;
}

void DatabaseImpl::SetDisk(const std::shared_ptr<rocksdb::FileSystem>& disk) { Disk() = disk; }

std::shared_ptr<rocksdb::FileSystem> DatabaseImpl::DiskOfWriter() const {
  if (list_end_ != ListEnd::kWhole) return WithListPrefix(Disk());
  return follows_orderly_ ? WithLateList(Disk()) : Disk();
}

// Opens RocksDB with the first records of the log, at most as many as that.
rocksdb::Status DatabaseImpl::OpenRocks(LogEnd log_end, uint64_t most_records) {
  const std::string path = (access_ == Access::kCreate ? UnfinishedPath(dir_) : DatabasePath(dir_)).string();
  log_prefix_ = std::make_unique<LogPrefix>(most_records);
  uses_log_ = log_end != LogEnd::kLost;
  rocksdb::DB* opened = nullptr;
  rocksdb::Status status;
  if (access_ == Access::kRead) {
    env_ = ReaderEnv(Disk(), list_end_);
    rocksdb::DBOptions options = ReaderOptions(log_end, env_.get());
    options.wal_filter = log_prefix_.get();
    status = rocksdb::DB::OpenForReadOnly(options, path, AllFamilies(), &families_, &opened);
  } else {
    env_ = WriterEnv(DiskOfWriter(), [this] { return CheckPlace().has_value(); });
    rocksdb::DBOptions options = WriterOptions(log_end, env_.get());
    options.wal_filter = log_prefix_.get();
    options.create_if_missing = options.create_missing_column_families = access_ == Access::kCreate;
    auto families = AllFamilies();
    for (const Family each : {Family::kExamples, Family::kIds}) {
      families[static_cast<size_t>(each)].options.compaction_filter_factory =
          ExpiryFilters(each, first_kept_);
    }
    status = rocksdb::DB::Open(options, path, families, &families_, &opened);
    if (status.ok()) status = KeepFilesOpen(*opened);
  }
  rocks_.reset(opened);
  return status;
}

// Opens it with as much of the log as can be used.
rocksdb::Status DatabaseImpl::OpenWithLog() {
  rocksdb::Status status = OpenRocks(LogEnd::kTorn, LogPrefix::kAll);
  if (!status.IsCorruption()) return status;
  // The tables may be whole nevertheless (log_prefix.h). If they are not, the first reason is the better one.
  const rocksdb::Status again = OpenRocks(LogEnd::kLost, log_prefix_->used());
  return again.ok() ? again : status;
}

// Opens it without the damaged end of its list of files. False if that is not what a crash left: something
// that was on disk is missing then.
bool DatabaseImpl::OpenWithTornList() {
  if (!IsListTorn(DatabasePath(dir_))) return false;
  list_end_ = ListEnd::kTorn;
  if (ReadState(OpenWithLog()) && CheckLogBegin()) {
    const auto synced = LargestSyncedChange();
    if (synced && *synced <= last_change()) return true;
  }
  if (rocks_ != nullptr) CloseRocks();
  return false;
}

Result<void> DatabaseImpl::Open() {
  const rocksdb::Status status = OpenWithLog();
  if (status.IsCorruption() && access_ != Access::kCreate && OpenWithTornList()) return {};
  if (auto read = ReadState(status); !read || access_ == Access::kCreate) return read;
  auto whole = CheckLogBegin();
  if (whole || whole.error().kind != ErrorKind::kCorrupt) return whole;
  CloseRocks();
  return ReadState(OpenRocks(LogEnd::kLost, 0));
}

Result<void> DatabaseImpl::ReadState(const rocksdb::Status& opened) {
  if (opened.IsInvalidArgument()) return tl::unexpected(WhyOtherFamilies(dir_));
  if (!opened.ok()) return tl::unexpected(Failure(opened));
  if (access_ == Access::kCreate) return {};
  auto meta = ReadMeta(*rocks_, dir_);
  if (!meta) return tl::unexpected(meta.error());
  meta_ = *std::move(meta);
  auto format = Get(Family::kMeta, kFormatKey);
  if (!format) return tl::unexpected(format.error());
  format_ = format->value_or("");
  auto identity = ReadIdentity();
  if (!identity) return tl::unexpected(identity.error());
  identity_ = *std::move(identity);
  const auto last_seq = ReadLastSeq();
  if (!last_seq) return tl::unexpected(last_seq.error());
  last_seq_ = *last_seq;
  return ReadLogExtent();
}

// kCorrupt if the first examples that are not in the weights yet are missing: the log that had them is gone.
// What follows them in later logs cannot be used.
Result<void> DatabaseImpl::CheckLogBegin() const {
  const auto applied = Get(Family::kMeta, kAppliedSeqKey);
  if (!applied) return tl::unexpected(applied.error());
  if (*applied && (*applied)->size() != sizeof(uint64_t)) return {};  // whoever reads it says so
  const uint64_t next =
      std::max((*applied ? LoadLittle<uint64_t>((*applied)->data()) : 0) + 1, first_kept_->load());
  if (next > last_seq_) return {};
  const auto example = Get(Family::kExamples, ExampleKey(next));
  if (!example) return tl::unexpected(example.error());
  return *example ? Result<void>() : tl::unexpected(Corrupt(fmt::format("example {} is missing", next)));
}

Result<void> DatabaseImpl::ReadLogExtent() {
  const auto stored = Get(Family::kMeta, kLogExtentKey);
  if (!stored) return tl::unexpected(stored.error());
  if (!*stored) return {};
  const auto extent = DecodeLogExtent(**stored);
  if (!extent || extent->first_seq == 0 || extent->first_seq > last_seq_ + 1)
    return tl::unexpected(Corrupt("the extent of the log"));
  log_extent_ = *extent;
  *first_kept_ = extent->first_seq;
  return {};
}

Result<uint64_t> DatabaseImpl::ReadLastSeq() const {
  const std::unique_ptr<rocksdb::Iterator> last(
      rocks_->NewIterator(rocksdb::ReadOptions(), family(Family::kExamples)));
  last->SeekToLast();
  if (!last->status().ok()) return tl::unexpected(Failure(last->status()));
  if (!last->Valid()) return 0;
  if (last->key().size() != sizeof(uint64_t)) return tl::unexpected(Corrupt("the number of an example"));
  return LoadBig<uint64_t>(last->key().data());
}

Result<std::string> DatabaseImpl::ReadIdentity() const {
  std::string identity;
  if (const auto status = rocks_->GetDbIdentity(identity); !status.ok()) {
    return tl::unexpected(Failure(status));
  }
  return identity;
}

Result<void> DatabaseImpl::MarkAllSynced() {
  if (auto in_place = CheckPlace(); !in_place) return in_place;
  auto opened = SyncMarkFile::Open(dir_);
  if (!opened) return tl::unexpected(opened.error());
  mark_file_ = *std::move(opened);
  return NoteSynced(last_change());
}

Result<uint64_t> DatabaseImpl::LargestSyncedChange() const { return LargestSyncMark(dir_, identity_); }

uint64_t DatabaseImpl::LastUnreadExample() const {
  DatabaseImpl whole(dir_, Access::kRead);
  whole.list_end_ = list_end_;
  // A failure to open it now comes from a writer at work.
  if (!whole.OpenRocks(LogEnd::kLost, log_prefix_->used()).ok()) return 0;
  return whole.log_prefix_->last_unused_example();
}

}  // namespace thresher::storage
