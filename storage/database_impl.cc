#include "storage/database_impl.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <thread>
#include <vector>

#include "storage/example_codec.h"
#include "storage/example_files.h"
#include "storage/join_logs.h"
#include "storage/log_note.h"
#include "storage/model_meta.h"
#include "storage/publish_image.h"
#include "storage/store_directory.h"
#include "storage/sync_mark.h"
#include "storage/system_error.h"

namespace thresher::storage {
namespace {

using rocksdb::DB;
using Clock = std::chrono::steady_clock;

// A log up to this size is not flushed at close, so that few writers of one example wait for a flush and for
// the merges that follow from it. Each process that opens the store reads it; `filter` reads the score image
// instead.
constexpr uint64_t kShortLog = 256U << 10;
// RocksDB flushes a full memtable itself, which flushed_ does not tell. The log of what filled it is then
// either removed, so that there are no two logs to join, or so much longer than this that LeaveTidy flushes.
static_assert(4 * kShortLog <= kMemtableBytes);
// Readers search each sorted run for a row. RocksDB starts to merge at four runs.
constexpr size_t kManyRuns = 4;
constexpr auto kLongestTidying = std::chrono::seconds(60);
constexpr auto kPoll = std::chrono::milliseconds(1);

constexpr std::array kAllFamilies{Family::kMeta, Family::kWeights, Family::kExamples, Family::kIds,
                                  Family::kTokens};
static_assert(kAllFamilies.size() == kFamilies);

}  // namespace

Result<void> DatabaseImpl::WriteMeta(const Meta& meta) {
  rocksdb::WriteBatch batch;
  for (const auto& [key, value] : MetaEntries(meta)) {
    if (const auto status = batch.Put(key, value); !status.ok()) return tl::unexpected(Failure(status));
  }
  return Write(&batch, /*sync=*/true);
}

Result<void> DatabaseImpl::BeginLogAnew() {
  // RocksDB keeps the log while there is nothing new to write to files.
  auto written = WriteMeta(meta_);
  return written ? Flush(/*wait=*/true) : written;
}

DatabaseImpl::~DatabaseImpl() {
  if (rocks_ == nullptr) return;
  const bool is_whole = access_ == Access::kWrite && CheckWritable();
  if (is_whole) LeaveTidy();
  const bool is_synced = synced_change_ >= last_change();
  CloseRocks();
  if (!is_whole || !CheckPlace()) return;
  // If it fails there are two logs, of which the next writer makes tables.
  if (follows_orderly_ && !flushed_) static_cast<void>(JoinLogs(DatabasePath(dir_), *Disk()));
  RemoveEmptyLogs(DatabasePath(dir_));
  WriteLogNote(dir_, is_synced);
}

void DatabaseImpl::CloseRocks() {
  for (auto* family : families_) rocks_->DestroyColumnFamilyHandle(family).PermitUncheckedError();
  families_.clear();
  rocks_->Close().PermitUncheckedError();  // everything acknowledged is in the log already
  rocks_.reset();
}

// Closing interrupts a compaction. That is left to the next writer, unless earlier writers have done the same
// so often that readers would have to search many files.
void DatabaseImpl::LeaveTidy() {
  const auto logs = TotalsOfFiles(dir_, ".log");
  const uintmax_t most = follows_orderly_ ? 2 : 1;  // two are joined
  const bool short_log = logs && logs->bytes <= kShortLog && logs->files <= most;
  if (short_log && !flushed_) return;
  if (!short_log && !Flush(/*wait=*/true)) return;
  MergeSmallExampleFiles(*rocks_, family(Family::kExamples))
      .PermitUncheckedError();  // the next writer tries again
  if (HasManyRuns()) WaitForWork();
}

// More than RocksDB leaves. With so many it may also find none to merge.
bool DatabaseImpl::HasManyRuns() const {
  return std::ranges::any_of(kAllFamilies, [this](Family each) {
    return each != Family::kExamples && SortedRuns(each) > kManyRuns;
  });
}

size_t DatabaseImpl::SortedRuns(Family which) const {
  rocksdb::ColumnFamilyMetaData files;
  rocks_->GetColumnFamilyMetaData(family(which), &files);
  size_t runs = 0;
  for (const auto& level : files.levels) {
    runs += level.level == 0 ? level.files.size() : std::min<size_t>(level.files.size(), 1);
  }
  return runs;
}

bool DatabaseImpl::RowFilesOverlap() const {
  rocksdb::ColumnFamilyMetaData meta;
  rocks_->GetColumnFamilyMetaData(family(Family::kWeights), &meta);
  std::vector<rocksdb::SstFileMetaData> files;
  for (const auto& level : meta.levels) files.insert(files.end(), level.files.begin(), level.files.end());
  std::ranges::sort(files, {}, &rocksdb::SstFileMetaData::smallestkey);
  const auto overlap = [](const auto& a, const auto& b) { return a.largestkey >= b.smallestkey; };
  return std::ranges::adjacent_find(files, overlap) != files.end();
}

// A job that leaves the queue is counted as running only a moment later, so it takes two idle checks in a row
// to know that no job is left.
void DatabaseImpl::WaitForWork() const {
  const auto deadline = Clock::now() + kLongestTidying;
  for (int quiet = 0; quiet < 2 && Clock::now() < deadline; std::this_thread::sleep_for(kPoll)) {
    quiet = IsAtWork() ? 0 : quiet + 1;
  }
}

bool DatabaseImpl::IsAtWork() const {
  // What failed is not tried again.
  if (Property(Family::kMeta, DB::Properties::kBackgroundErrors) > 0) return false;
  // Not by the queues of threads, which are those of all databases of the process.
  return Property(Family::kMeta, DB::Properties::kNumRunningFlushes) > 0 ||
         Property(Family::kMeta, DB::Properties::kNumRunningCompactions) > 0 || HasManyRuns();
}

Result<void> DatabaseImpl::CheckWritable() const {
  if (access_ == Access::kRead) {
    return tl::unexpected(
        Error{ErrorKind::kMisuse, fmt::format("{} is open for reading only", dir_.string())});
  }
  if (failed_) return tl::unexpected(*failed_);
  if (auto failure = commits_.Failure()) return tl::unexpected(*std::move(failure));
  return CheckPlace();
}

Result<void> DatabaseImpl::Fail(Error error) {
  failed_ = std::move(error);
  return tl::unexpected(*failed_);
}

Result<void> DatabaseImpl::Checked(const rocksdb::Status& status) {
  return status.ok() ? Result<void>() : Fail(Failure(status));
}

Result<void> DatabaseImpl::Checked(const Result<void>& done) { return done ? done : Fail(done.error()); }

Result<void> DatabaseImpl::Write(rocksdb::WriteBatch* batch, bool sync) {
  if (auto writable = CheckWritable(); !writable) return writable;
  // Older programs cannot read what this one writes.
  if (format_ != kFormat) {
    if (auto put = Checked(batch->Put(std::string(kFormatKey), std::string(kFormat))); !put) return put;
  }
  if (auto marked = Checked(batch->PutLogData(SyncMark(identity_, synced_change_))); !marked) return marked;
  rocksdb::WriteOptions options;
  options.sync = sync;
  options.memtable_insert_hint_per_batch = true;  // the keys of a batch are sorted
  if (auto written = Checked(rocks_->Write(options, batch)); !written) return written;
  format_ = kFormat;
  return sync ? Checked(NoteSynced(last_change())) : Result<void>();
}

Result<void> DatabaseImpl::SyncLog() {
  const uint64_t written = last_change();
  if (const auto status = rocks_->SyncWAL(); !status.ok()) return tl::unexpected(Failure(status));
  return NoteSynced(written);
}

// The writer may have synced more in another thread; the smaller of two numbers is safe.
Result<void> DatabaseImpl::NoteSynced(uint64_t change) {
  synced_change_ = change;
  return mark_file_ ? mark_file_->Write(SyncMark(identity_, change)) : Result<void>();
}

Result<void> DatabaseImpl::Ingest(const std::vector<rocksdb::IngestExternalFileArg>& files) {
  if (auto writable = CheckWritable(); !writable) return writable;
  if (auto taken = Checked(rocks_->IngestExternalFiles(files)); !taken) return taken;
  // Deletes the list of files before this one, which would stay until the next flush.
  rocks_->EnableFileDeletions(/*force=*/true).PermitUncheckedError();
  return Checked(NoteSynced(last_change()));
}

Result<void> DatabaseImpl::Flush(bool wait) {
  if (auto writable = CheckWritable(); !writable) return writable;
  rocksdb::FlushOptions options;
  options.wait = wait;
  options.allow_write_stall = true;
  flushed_ = true;
  const uint64_t written = last_change();
  if (auto flushed = Checked(rocks_->Flush(options, families_)); !flushed || !wait) return flushed;
  return Checked(NoteSynced(written));  // the list of files names the files, and is on disk
}

Result<void> DatabaseImpl::Compact() {
  if (auto flushed = Flush(true); !flushed) return flushed;
  rocksdb::Status status = MergeSmallExampleFiles(*rocks_, family(Family::kExamples));
  rocksdb::CompactRangeOptions options;
  options.bottommost_level_compaction = rocksdb::BottommostLevelCompaction::kForceOptimized;
  if (status.ok()) status = CompactExpired(*rocks_, family(Family::kExamples), stored_first_seq());
  for (const Family each : kAllFamilies) {
    // Rewriting examples, or a family that is one sorted run, would gain nothing.
    if (each == Family::kExamples || SortedRuns(each) < 2) continue;
    if (each == Family::kWeights && !RowFilesOverlap()) continue;
    if (status.ok()) status = rocks_->CompactRange(options, family(each), nullptr, nullptr);
  }
  return Checked(status);
}

Result<void> DatabaseImpl::RewriteExamples() {
  if (auto flushed = Flush(/*wait=*/true); !flushed) return flushed;
  rocksdb::CompactRangeOptions options;
  options.bottommost_level_compaction = rocksdb::BottommostLevelCompaction::kForce;
  rocksdb::Status status;
  for (const Family each : {Family::kExamples, Family::kIds, Family::kMeta}) {
    if (status.ok()) status = rocks_->CompactRange(options, family(each), nullptr, nullptr);
  }
  return Checked(status);
}

Result<void> DatabaseImpl::RewriteIfDue() {
  const auto due = Get(Family::kMeta, kRewriteDueKey);
  if (!due) return tl::unexpected(due.error());
  if (!*due) return {};
  if (auto rewritten = RewriteExamples(); !rewritten) return rewritten;
  rocksdb::WriteBatch batch;
  if (auto removed = Checked(batch.Delete(std::string(kRewriteDueKey))); !removed) return removed;
  return Write(&batch, /*sync=*/true);
}

const ScoreImage* DatabaseImpl::image() {
  if (!looked_for_image_ && access_ == Access::kWrite) {
    if (auto found = CurrentImage(*this)) image_.emplace(*std::move(found));
  }
  looked_for_image_ = true;
  return image_ ? &*image_ : nullptr;
}

const ScoreImage* DatabaseImpl::image(size_t row_bytes) {
  const ScoreImage* const found = image();
  return found != nullptr && found->row_bytes() == row_bytes ? found : nullptr;
}

void DatabaseImpl::ForgetImage() {
  image_.reset();
  looked_for_image_ = false;
}

Result<void> DatabaseImpl::WithdrawImage() const {
  auto in_place = CheckPlace();
  return in_place ? ScoreImage::Withdraw(dir_) : in_place;
}

Result<void> DatabaseImpl::DropExpired() {
  if (log_extent_.first_seq == stored_first_seq()) return {};
  // The extent is in files before the examples are removed: damage to RocksDB's log cannot bring the old
  // extent back.
  if (auto flushed = Flush(/*wait=*/true); !flushed) return flushed;
  *first_kept_ = log_extent_.first_seq;
  return Checked(DropExpiredFiles(*rocks_, family(Family::kExamples), stored_first_seq()));
}

Result<std::optional<std::string>> DatabaseImpl::Get(Family which, std::string_view key) const {
  std::string value;
  const auto status = rocks_->Get(rocksdb::ReadOptions(), family(which), rocksdb::Slice(key), &value);
  if (status.IsNotFound()) return std::nullopt;
  if (!status.ok()) return tl::unexpected(Failure(status));
  return value;
}

Error DatabaseImpl::WhyMissing(uint64_t seq) const {
  const auto example = Get(Family::kExamples, ExampleKey(seq));
  if (!example) return example.error();
  if (!*example) return Corrupt(fmt::format("example {} is missing", seq));
  return Failure(
      rocksdb::Status::IOError(fmt::format("example {} was read at the second attempt only", seq)));
}

Result<void> DatabaseImpl::CheckEndOfExamples(uint64_t next, uint64_t last) const {
  return next > last ? Result<void>() : tl::unexpected(WhyMissing(next));
}

uint64_t DatabaseImpl::Property(Family which, const std::string& name) const {
  uint64_t value = 0;
  return rocks_->GetIntProperty(family(which), name, &value) ? value : 0;
}

Error DatabaseImpl::Failure(const rocksdb::Status& status) const { return RocksError(status, dir_); }

Error DatabaseImpl::Corrupt(std::string_view what) const {
  return Failure(rocksdb::Status::Corruption(std::string(what)));
}

}  // namespace thresher::storage
