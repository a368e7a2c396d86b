#include "tests/storage/faulty_disk.h"

#include <algorithm>
#include <array>
#include <fstream>
#include <limits>
#include <mutex>
#include <shared_mutex>
#include <system_error>
#include <utility>

#include "storage/database_impl.h"

namespace thresher::storage {

namespace fs = std::filesystem;
using rocksdb::FileOptions;
using rocksdb::IODebugContext;
using rocksdb::IOOptions;
using rocksdb::IOStatus;
using rocksdb::Slice;

namespace {

constexpr uint64_t kNever = std::numeric_limits<uint64_t>::max();
constexpr size_t kKinds = 4;

}  // namespace

class FaultyDisk::System final : public rocksdb::FileSystemWrapper {
 public:
  System() : FileSystemWrapper(rocksdb::FileSystem::Default()) {}
  const char* Name() const override { return "FaultyDisk"; }

  IOStatus NewWritableFile(const std::string& path, const FileOptions& options,
                           std::unique_ptr<rocksdb::FSWritableFile>* file, IODebugContext* debug) override;
  IOStatus ReopenWritableFile(const std::string& path, const FileOptions& options,
                              std::unique_ptr<rocksdb::FSWritableFile>* file, IODebugContext* debug) override;
  IOStatus NewRandomAccessFile(const std::string& path, const FileOptions& options,
                               std::unique_ptr<rocksdb::FSRandomAccessFile>* file,
                               IODebugContext* debug) override;
  IOStatus DeleteFile(const std::string& path, const IOOptions& options, IODebugContext* debug) override {
    const std::shared_lock at_work = Work();
    return FileSystemWrapper::DeleteFile(path, options, debug);
  }
  IOStatus RenameFile(const std::string& from, const std::string& to, const IOOptions& options,
                      IODebugContext* debug) override {
    const std::shared_lock at_work = Work();
    const IOStatus status = FileSystemWrapper::RenameFile(from, to, options, debug);
    const std::lock_guard lock(mutex_);
    if (const auto found = synced_bytes_.find(from); status.ok() && found != synced_bytes_.end()) {
      synced_bytes_[to] = found->second;
      synced_bytes_.erase(from);
    }
    return status;
  }

  // Code that changes a file holds the first; code that reads all files at one moment holds the second.
  std::shared_lock<std::shared_mutex> Work() { return std::shared_lock(rest_); }
  std::unique_lock<std::shared_mutex> Rest() { return std::unique_lock(rest_); }

  // Counts an operation; returns the status with which it must fail.
  IOStatus Do(DiskWork work) {
    const std::lock_guard lock(mutex_);
    const auto kind = static_cast<size_t>(work);
    return ++done_[kind] >= fail_from_[kind] ? failures_[kind] : IOStatus::OK();
  }
  void FailFrom(DiskWork work, uint64_t n, const IOStatus& status) {
    const std::lock_guard lock(mutex_);
    const auto kind = static_cast<size_t>(work);
    fail_from_[kind] = done_[kind] + n;
    failures_[kind] = status;
  }
  uint64_t Count(DiskWork work) const {
    const std::lock_guard lock(mutex_);
    return done_[static_cast<size_t>(work)];
  }

  void SetBeforeSync(std::function<void()> act) {
    const std::lock_guard lock(before_sync_mutex_);
    before_sync_ = std::move(act);
  }
  void BeforeSync() {
    const std::lock_guard lock(before_sync_mutex_);
    if (before_sync_) before_sync_();
  }

  void FlipBitInRead(uint64_t n) {
    const std::lock_guard lock(mutex_);
    flip_at_ = done_[static_cast<size_t>(DiskWork::kRead)] + n;
  }
  bool IsToBeFlipped() const {
    const std::lock_guard lock(mutex_);
    return done_[static_cast<size_t>(DiskWork::kRead)] == flip_at_;
  }

  void NoteSynced(const std::string& path, uint64_t bytes) {
    const std::lock_guard lock(mutex_);
    synced_bytes_[path] = bytes;
  }
  // The content of a file that was not written through this disk.
  uint64_t SyncedBytes(const fs::path& path) const {
    const std::lock_guard lock(mutex_);
    const auto found = synced_bytes_.find(path.string());
    return found == synced_bytes_.end() ? kNever : found->second;
  }

 private:
  std::shared_mutex rest_;
  mutable std::mutex mutex_;
  std::map<std::string, uint64_t> synced_bytes_;
  std::array<uint64_t, kKinds> done_{};
  std::array<uint64_t, kKinds> fail_from_ = {kNever, kNever, kNever, kNever};
  std::array<IOStatus, kKinds> failures_;
  uint64_t flip_at_ = kNever;
  std::mutex before_sync_mutex_;
  std::function<void()> before_sync_;
};

namespace {

template <class System>
class WatchedFile final : public rocksdb::FSWritableFileOwnerWrapper {
 public:
  WatchedFile(System& system, std::string path, std::unique_ptr<rocksdb::FSWritableFile> file)
      : FSWritableFileOwnerWrapper(std::move(file)), system_(system), path_(std::move(path)) {}

  IOStatus Append(const Slice& data, const IOOptions& options, IODebugContext* debug) override {
    const std::shared_lock at_work = system_.Work();
    if (IOStatus failed = system_.Do(DiskWork::kWrite); !failed.ok()) return failed;
    return FSWritableFileOwnerWrapper::Append(data, options, debug);
  }
  IOStatus Append(const Slice& data, const IOOptions& options, const rocksdb::DataVerificationInfo& /*info*/,
                  IODebugContext* debug) override {
    return Append(data, options, debug);
  }
  // Does not sync the real disk: the tests only need to know which syncs were requested.
  IOStatus Sync(const IOOptions& /*options*/, IODebugContext* /*debug*/) override {
    system_.BeforeSync();
    const std::shared_lock at_work = system_.Work();
    if (IOStatus failed = system_.Do(DiskWork::kSync); !failed.ok()) return failed;
    system_.NoteSynced(path_, fs::file_size(path_));
    return IOStatus::OK();
  }
  IOStatus Fsync(const IOOptions& options, IODebugContext* debug) override { return Sync(options, debug); }

 private:
  System& system_;
  std::string path_;
};

template <class System>
class WatchedReader final : public rocksdb::FSRandomAccessFileOwnerWrapper {
 public:
  WatchedReader(System& system, std::unique_ptr<rocksdb::FSRandomAccessFile> file)
      : FSRandomAccessFileOwnerWrapper(std::move(file)), system_(system) {}

  IOStatus Read(uint64_t offset, size_t n, const IOOptions& options, Slice* result, char* scratch,
                IODebugContext* debug) const override {
    if (IOStatus failed = system_.Do(DiskWork::kRead); !failed.ok()) return failed;
    const IOStatus status = FSRandomAccessFileOwnerWrapper::Read(offset, n, options, result, scratch, debug);
    if (status.ok() && !result->empty() && system_.IsToBeFlipped()) {
      std::copy_n(result->data(), result->size(), scratch);
      scratch[result->size() / 2] = static_cast<char>(scratch[result->size() / 2] ^ 4);
      *result = Slice(scratch, result->size());
    }
    return status;
  }

 private:
  System& system_;
};

}  // namespace

IOStatus FaultyDisk::System::NewWritableFile(const std::string& path, const FileOptions& options,
                                             std::unique_ptr<rocksdb::FSWritableFile>* file,
                                             IODebugContext* debug) {
  const std::shared_lock at_work = Work();
  if (IOStatus failed = Do(DiskWork::kCreate); !failed.ok()) return failed;
  const IOStatus status = FileSystemWrapper::NewWritableFile(path, options, file, debug);
  if (status.ok()) {
    NoteSynced(path, 0);
    *file = std::make_unique<WatchedFile<System>>(*this, path, std::move(*file));
  }
  return status;
}

IOStatus FaultyDisk::System::ReopenWritableFile(const std::string& path, const FileOptions& options,
                                                std::unique_ptr<rocksdb::FSWritableFile>* file,
                                                IODebugContext* debug) {
  const IOStatus status = FileSystemWrapper::ReopenWritableFile(path, options, file, debug);
  if (status.ok()) *file = std::make_unique<WatchedFile<System>>(*this, path, std::move(*file));
  return status;
}

IOStatus FaultyDisk::System::NewRandomAccessFile(const std::string& path, const FileOptions& options,
                                                 std::unique_ptr<rocksdb::FSRandomAccessFile>* file,
                                                 IODebugContext* debug) {
  const IOStatus status = FileSystemWrapper::NewRandomAccessFile(path, options, file, debug);
  if (status.ok()) *file = std::make_unique<WatchedReader<System>>(*this, std::move(*file));
  return status;
}

FaultyDisk::FaultyDisk() : system_(std::make_shared<System>()) { DatabaseImpl::SetDisk(system_); }
FaultyDisk::~FaultyDisk() { DatabaseImpl::SetDisk(rocksdb::FileSystem::Default()); }

void FaultyDisk::FailFrom(DiskWork work, uint64_t n, const IOStatus& status) {
  system_->FailFrom(work, n, status);
}
void FaultyDisk::FlipBitInRead(uint64_t n) { system_->FlipBitInRead(n); }
void FaultyDisk::SetBeforeSync(std::function<void()> act) { system_->SetBeforeSync(std::move(act)); }
uint64_t FaultyDisk::Count(DiskWork work) const { return system_->Count(work); }

void FaultyDisk::CutPower(const fs::path& from, const fs::path& to, std::mt19937_64& random) const {
  const std::unique_lock at_rest = system_->Rest();
  for (const auto& entry : fs::recursive_directory_iterator(from)) {
    const fs::path copy = to / fs::relative(entry.path(), from);
    if (entry.is_directory()) {
      fs::create_directories(copy);
      continue;
    }
    fs::create_directories(copy.parent_path());
    // The image is no file of the database: it may take its place meanwhile.
    std::error_code gone;
    if (!fs::copy_file(entry.path(), copy, gone)) {
      if (gone == std::errc::no_such_file_or_directory) continue;
      throw fs::filesystem_error("cannot copy", entry.path(), copy, gone);
    }
    const uint64_t bytes = fs::file_size(copy);
    const uint64_t kept = std::min(bytes, system_->SyncedBytes(entry.path()));
    if (kept == bytes) continue;
    fs::resize_file(copy, kept + random() % (bytes - kept + 1));
    if (random() % 2 == 0) {  // its pages never came to the disk
      std::fstream torn(copy, std::ios::in | std::ios::out | std::ios::binary);
      const uint64_t garbage_from = kept + random() % (fs::file_size(copy) - kept + 1);
      torn.seekp(static_cast<std::streamoff>(garbage_from));
      for (uint64_t at = garbage_from; at < fs::file_size(copy); ++at) torn.put(static_cast<char>(random()));
    }
  }
}

}  // namespace thresher::storage
