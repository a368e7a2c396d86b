#include "storage/careful_file_system.h"

#include <atomic>
#include <filesystem>
#include <string>
#include <system_error>
#include <utility>

#include "storage/system_error.h"

namespace thresher::storage {
namespace {

using rocksdb::FileOptions;
using rocksdb::FSWritableFile;
using rocksdb::IODebugContext;
using rocksdb::IOOptions;
using rocksdb::IOStatus;
using rocksdb::Slice;

using Doubt = std::shared_ptr<std::atomic<bool>>;  // shared with files, which may be closed last

// A list of files: any failure to write it casts doubt on what it says.
class ListFile final : public rocksdb::FSWritableFileOwnerWrapper {
 public:
  ListFile(std::unique_ptr<FSWritableFile> file, Doubt doubt)
      : FSWritableFileOwnerWrapper(std::move(file)), doubt_(std::move(doubt)) {}

  IOStatus Append(const Slice& data, const IOOptions& options, IODebugContext* debug) override {
    return Noted(FSWritableFileOwnerWrapper::Append(data, options, debug));
  }
  IOStatus Append(const Slice& data, const IOOptions& options, const rocksdb::DataVerificationInfo& info,
                  IODebugContext* debug) override {
    return Noted(FSWritableFileOwnerWrapper::Append(data, options, info, debug));
  }
  IOStatus Flush(const IOOptions& options, IODebugContext* debug) override {
    return Noted(FSWritableFileOwnerWrapper::Flush(options, debug));
  }
  IOStatus Sync(const IOOptions& options, IODebugContext* debug) override {
    return Noted(FSWritableFileOwnerWrapper::Sync(options, debug));
  }
  IOStatus Fsync(const IOOptions& options, IODebugContext* debug) override {
    return Noted(FSWritableFileOwnerWrapper::Fsync(options, debug));
  }
  IOStatus Close(const IOOptions& options, IODebugContext* debug) override {
    return Noted(FSWritableFileOwnerWrapper::Close(options, debug));
  }

 private:
  IOStatus Noted(IOStatus status) {
    if (!status.ok()) *doubt_ = true;
    return status;
  }

  Doubt doubt_;
};

// The folder they are in: which of them counts is a name in it (CURRENT).
class ListFolder final : public rocksdb::FSDirectoryWrapper {
 public:
  ListFolder(std::unique_ptr<rocksdb::FSDirectory> folder, Doubt doubt)
      : FSDirectoryWrapper(std::move(folder)), doubt_(std::move(doubt)) {}

  IOStatus Fsync(const IOOptions& options, IODebugContext* debug) override {
    return Noted(FSDirectoryWrapper::Fsync(options, debug));
  }
  IOStatus FsyncWithDirOptions(const IOOptions& options, IODebugContext* debug,
                               const rocksdb::DirFsyncOptions& what) override {
    return Noted(FSDirectoryWrapper::FsyncWithDirOptions(options, debug, what));
  }

 private:
  IOStatus Noted(IOStatus status) {
    if (!status.ok()) *doubt_ = true;
    return status;
  }

  Doubt doubt_;
};

class CarefulFileSystem final : public rocksdb::FileSystemWrapper {
 public:
  using FileSystemWrapper::FileSystemWrapper;
  const char* Name() const override { return "CarefulFileSystem"; }

  IOStatus NewWritableFile(const std::string& path, const FileOptions& options,
                           std::unique_ptr<FSWritableFile>* file, IODebugContext* debug) override {
    IOStatus status = FileSystemWrapper::NewWritableFile(path, options, file, debug);
    const bool is_list = std::filesystem::path(path).filename().string().starts_with("MANIFEST");
    if (status.ok() && is_list) *file = std::make_unique<ListFile>(std::move(*file), doubt_);
    return status;
  }

  IOStatus NewDirectory(const std::string& path, const IOOptions& options,
                        std::unique_ptr<rocksdb::FSDirectory>* folder, IODebugContext* debug) override {
    IOStatus status = FileSystemWrapper::NewDirectory(path, options, folder, debug);
    if (status.ok()) *folder = std::make_unique<ListFolder>(std::move(*folder), doubt_);
    return status;
  }

  IOStatus RenameFile(const std::string& from, const std::string& to, const IOOptions& options,
                      IODebugContext* debug) override {
    IOStatus status = FileSystemWrapper::RenameFile(from, to, options, debug);
    if (!status.ok()) *doubt_ = true;
    return status;
  }

  IOStatus DeleteFile(const std::string& path, const IOOptions& options, IODebugContext* debug) override {
    if (*doubt_) return IOStatus::Aborted("the list of files may name it");
    return FileSystemWrapper::DeleteFile(path, options, debug);
  }

 private:
  Doubt doubt_ = std::make_shared<std::atomic<bool>>(false);
};

}  // namespace

Result<void> SyncLogs(const std::filesystem::path& path, rocksdb::FileSystem& disk) {
  std::error_code error;
  for (std::filesystem::directory_iterator entry(path, error);
       !error && entry != std::filesystem::directory_iterator(); entry.increment(error)) {
    if (entry->path().extension() != ".log") continue;
    std::unique_ptr<FSWritableFile> log;
    IOStatus status = disk.ReopenWritableFile(entry->path().string(), FileOptions(), &log, nullptr);
    if (status.ok()) status = log->Sync(IOOptions(), nullptr);
    if (!status.ok()) return tl::unexpected(RocksError(status, path.parent_path()));
  }
  if (error) return tl::unexpected(SystemError(error.value(), "cannot read " + path.string()));
  return {};
}

std::unique_ptr<rocksdb::Env> CarefulEnv(const std::shared_ptr<rocksdb::FileSystem>& base) {
  return rocksdb::NewCompositeEnv(std::make_shared<CarefulFileSystem>(base));
}

}  // namespace thresher::storage
