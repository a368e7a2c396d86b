#include "storage/late_list.h"

#include <filesystem>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "storage/rocksdb_files.h"

namespace thresher::storage {
namespace {

using rocksdb::FileOptions;
using rocksdb::FSWritableFile;
using rocksdb::IODebugContext;
using rocksdb::IOOptions;
using rocksdb::IOStatus;
using rocksdb::Slice;

// A new list, the file CURRENT that is to name it, and what they replace.
class LateList {
 public:
  explicit LateList(std::shared_ptr<rocksdb::FileSystem> disk) : disk_(std::move(disk)) {}

  // Before a list is made: it would name this table, and the one on disk does not.
  void MakesTable();
  // What RocksDB does, in this order; true if it is not to be done on disk.
  bool MakesList(const std::string& path, const FileOptions& options);
  bool MakesName(const std::string& path);
  void WritesName(const Slice& bytes);
  bool Renames(const std::string& from, const std::string& to);
  // CURRENT is to name a list on disk that follows the one in memory. True if that was done, or failed.
  bool RenamesNext(const std::string& from, const std::string& to, IOStatus* status);
  bool SyncsRename();
  // `status`: why the file must not be deleted.
  bool Deletes(const std::string& path, IOStatus* status);

  IOStatus Append(const Slice& bytes);
  IOStatus Sync();
  IOStatus Close();
  uint64_t Size();

 private:
  enum class Stage {
    kNone,    // RocksDB has made no list yet
    kMade,    // in memory
    kNamed,   // in memory, and for RocksDB the list in use; CURRENT on disk names an older one
    kOnDisk,  // as any other file, or CURRENT on disk names one that followed it
  };

  bool MayBeNeeded(const std::string& path) const;
  IOStatus Write();
  IOStatus WriteBoth();
  IOStatus SyncFolder();
  void DeleteOld();

  const std::shared_ptr<rocksdb::FileSystem> disk_;
  std::mutex mutex_;
  Stage stage_ = Stage::kNone;
  IOStatus failure_;
  FileOptions options_;
  std::string path_;
  std::string bytes_;
  std::unique_ptr<FSWritableFile> file_;
  std::string name_path_;  // of what is renamed to CURRENT
  std::string name_;
  std::string current_path_;
  std::vector<std::string> old_;  // lists that RocksDB has deleted
};

void LateList::MakesTable() {
  const std::lock_guard lock(mutex_);
  if (stage_ == Stage::kNone) stage_ = Stage::kOnDisk;
}

bool LateList::MakesList(const std::string& path, const FileOptions& options) {
  const std::lock_guard lock(mutex_);
  // A later list says all that this one does, but only once CURRENT names it: to make it may fail.
  if (stage_ == Stage::kNamed) return false;
  if (stage_ != Stage::kNone) {
    stage_ = Stage::kOnDisk;
    return false;
  }
  stage_ = Stage::kMade;
  path_ = path;
  options_ = options;
  return true;
}

bool LateList::MakesName(const std::string& path) {
  const std::lock_guard lock(mutex_);
  if (stage_ != Stage::kMade) return false;
  name_path_ = path;
  return true;
}

void LateList::WritesName(const Slice& bytes) {
  const std::lock_guard lock(mutex_);
  name_.append(bytes.data(), bytes.size());
}

bool LateList::Renames(const std::string& from, const std::string& to) {
  const std::lock_guard lock(mutex_);
  if (stage_ != Stage::kMade || from != name_path_) return false;
  current_path_ = to;
  stage_ = Stage::kNamed;
  return true;
}

// With the sync of the folder, and with the lock: files that only the older list needs may be deleted behind
// it, and no other thread must write the list in memory meanwhile, which would take the name back.
bool LateList::RenamesNext(const std::string& from, const std::string& to, IOStatus* status) {
  const std::lock_guard lock(mutex_);
  if (stage_ != Stage::kNamed || to != current_path_) return false;
  *status = disk_->RenameFile(from, to, IOOptions(), nullptr);
  if (!status->ok()) return true;
  stage_ = Stage::kOnDisk;
  *status = failure_ = SyncFolder();
  return true;
}

bool LateList::SyncsRename() {
  const std::lock_guard lock(mutex_);
  return stage_ == Stage::kNamed;
}

bool LateList::MayBeNeeded(const std::string& path) const {
  uint64_t bytes = 0;
  const bool is_empty = disk_->GetFileSize(path, IOOptions(), &bytes, nullptr).ok() && bytes == 0;
  return !is_empty && !path.ends_with(".dbtmp");
}

bool LateList::Deletes(const std::string& path, IOStatus* status) {
  const std::lock_guard lock(mutex_);
  *status = failure_;
  if (stage_ == Stage::kOnDisk && failure_.ok() && IsListOfFiles(path))
    DeleteOld();  // another list is in use
  if (stage_ != Stage::kNamed) return !failure_.ok();
  if (IsListOfFiles(path)) {
    old_.push_back(path);
    return true;
  }
  if (MayBeNeeded(path)) *status = Write();
  return !status->ok();
}

IOStatus LateList::Append(const Slice& bytes) {
  const std::lock_guard lock(mutex_);
  if (stage_ == Stage::kMade) {
    bytes_.append(bytes.data(), bytes.size());
    return IOStatus::OK();
  }
  if (stage_ == Stage::kNamed) Write().PermitUncheckedError();  // failure_ is the same
  if (!failure_.ok()) return failure_;
  return file_ ? file_->Append(bytes, IOOptions(), nullptr) : IOStatus::Aborted("another list is in use");
}

IOStatus LateList::Sync() {
  const std::lock_guard lock(mutex_);
  if (!failure_.ok()) return failure_;
  return file_ ? file_->Sync(IOOptions(), nullptr) : IOStatus::OK();
}

IOStatus LateList::Close() {
  const std::lock_guard lock(mutex_);
  return file_ ? file_->Close(IOOptions(), nullptr) : IOStatus::OK();
}

uint64_t LateList::Size() {
  const std::lock_guard lock(mutex_);
  return file_ ? file_->GetFileSize(IOOptions(), nullptr) : bytes_.size();
}

// After a failure nothing more is written or deleted: RocksDB's memory and the disk may differ.
IOStatus LateList::Write() {
  failure_ = WriteBoth();
  stage_ = Stage::kOnDisk;
  if (failure_.ok()) DeleteOld();
  return failure_;
}

void LateList::DeleteOld() {
  for (const std::string& old : std::exchange(old_, {}))
    disk_->DeleteFile(old, IOOptions(), nullptr).PermitUncheckedError();  // the next writer tries again
}

// In the order in which RocksDB does it.
IOStatus LateList::WriteBoth() {
  IOStatus status = disk_->NewWritableFile(path_, options_, &file_, nullptr);
  if (status.ok()) status = file_->Append(bytes_, IOOptions(), nullptr);
  if (status.ok()) status = file_->Sync(IOOptions(), nullptr);
  if (status.ok()) status = rocksdb::WriteStringToFile(disk_.get(), name_, name_path_, /*should_sync=*/true);
  if (status.ok()) status = disk_->RenameFile(name_path_, current_path_, IOOptions(), nullptr);
  return status.ok() ? SyncFolder() : status;
}

IOStatus LateList::SyncFolder() {
  std::unique_ptr<rocksdb::FSDirectory> folder;
  const std::string path = std::filesystem::path(path_).parent_path().string();
  const IOStatus status = disk_->NewDirectory(path, IOOptions(), &folder, nullptr);
  return status.ok() ? folder->Fsync(IOOptions(), nullptr) : status;
}

class LateListFile final : public FSWritableFile {
 public:
  explicit LateListFile(std::shared_ptr<LateList> list) : list_(std::move(list)) {}

  using FSWritableFile::Append;
  IOStatus Append(const Slice& data, const IOOptions& /*options*/, IODebugContext* /*debug*/) override {
    return list_->Append(data);
  }
  IOStatus Flush(const IOOptions& /*options*/, IODebugContext* /*debug*/) override { return IOStatus::OK(); }
  IOStatus Sync(const IOOptions& /*options*/, IODebugContext* /*debug*/) override { return list_->Sync(); }
  IOStatus Close(const IOOptions& /*options*/, IODebugContext* /*debug*/) override { return list_->Close(); }
  uint64_t GetFileSize(const IOOptions& /*options*/, IODebugContext* /*debug*/) override {
    return list_->Size();
  }

 private:
  std::shared_ptr<LateList> list_;
};

class LateNameFile final : public FSWritableFile {
 public:
  explicit LateNameFile(std::shared_ptr<LateList> list) : list_(std::move(list)) {}

  using FSWritableFile::Append;
  IOStatus Append(const Slice& data, const IOOptions& /*options*/, IODebugContext* /*debug*/) override {
    list_->WritesName(data);
    return IOStatus::OK();
  }
  IOStatus Flush(const IOOptions& /*options*/, IODebugContext* /*debug*/) override { return IOStatus::OK(); }
  IOStatus Sync(const IOOptions& /*options*/, IODebugContext* /*debug*/) override { return IOStatus::OK(); }
  IOStatus Close(const IOOptions& /*options*/, IODebugContext* /*debug*/) override { return IOStatus::OK(); }

 private:
  std::shared_ptr<LateList> list_;
};

class LateListFolder final : public rocksdb::FSDirectoryWrapper {
 public:
  LateListFolder(std::unique_ptr<rocksdb::FSDirectory> folder, std::shared_ptr<LateList> list)
      : FSDirectoryWrapper(std::move(folder)), list_(std::move(list)) {}

  IOStatus FsyncWithDirOptions(const IOOptions& options, IODebugContext* debug,
                               const rocksdb::DirFsyncOptions& what) override {
    if (what.reason == rocksdb::DirFsyncOptions::kFileRenamed && list_->SyncsRename()) return IOStatus::OK();
    return FSDirectoryWrapper::FsyncWithDirOptions(options, debug, what);
  }

 private:
  std::shared_ptr<LateList> list_;
};

class LateListFileSystem final : public rocksdb::FileSystemWrapper {
 public:
  explicit LateListFileSystem(const std::shared_ptr<rocksdb::FileSystem>& base)
      : FileSystemWrapper(base), list_(std::make_shared<LateList>(base)) {}
  const char* Name() const override { return "LateListFileSystem"; }

  IOStatus NewWritableFile(const std::string& path, const FileOptions& options,
                           std::unique_ptr<FSWritableFile>* file, IODebugContext* debug) override {
    if (path.ends_with(".sst")) list_->MakesTable();
    if (IsListOfFiles(path) && list_->MakesList(path, options)) {
      *file = std::make_unique<LateListFile>(list_);
      return IOStatus::OK();
    }
    if (path.ends_with(".dbtmp") && list_->MakesName(path)) {
      *file = std::make_unique<LateNameFile>(list_);
      return IOStatus::OK();
    }
    return FileSystemWrapper::NewWritableFile(path, options, file, debug);
  }

  IOStatus RenameFile(const std::string& from, const std::string& to, const IOOptions& options,
                      IODebugContext* debug) override {
    if (list_->Renames(from, to)) return IOStatus::OK();
    IOStatus renamed;
    if (list_->RenamesNext(from, to, &renamed)) return renamed;
    return FileSystemWrapper::RenameFile(from, to, options, debug);
  }

  IOStatus NewDirectory(const std::string& path, const IOOptions& options,
                        std::unique_ptr<rocksdb::FSDirectory>* folder, IODebugContext* debug) override {
    IOStatus status = FileSystemWrapper::NewDirectory(path, options, folder, debug);
    if (status.ok()) *folder = std::make_unique<LateListFolder>(std::move(*folder), list_);
    return status;
  }

  IOStatus DeleteFile(const std::string& path, const IOOptions& options, IODebugContext* debug) override {
    IOStatus kept;
    if (list_->Deletes(path, &kept)) return kept;
    return FileSystemWrapper::DeleteFile(path, options, debug);
  }

 private:
  std::shared_ptr<LateList> list_;
};

}  // namespace

std::shared_ptr<rocksdb::FileSystem> WithLateList(const std::shared_ptr<rocksdb::FileSystem>& base) {
  return std::make_shared<LateListFileSystem>(base);
}

}  // namespace thresher::storage
