#include "storage/careful_file_system.h"

#include <atomic>
#include <filesystem>
#include <string>
#include <system_error>
#include <utility>

#include "storage/rocksdb_files.h"
#include "storage/system_error.h"

namespace thresher::storage {
namespace {

using rocksdb::FileOptions;
using rocksdb::FSWritableFile;
using rocksdb::IODebugContext;
using rocksdb::IOOptions;
using rocksdb::IOStatus;
using rocksdb::Slice;

// Whether the list of files on disk may differ from what RocksDB assumes. Shared with the files, which may
// be closed last.
using Doubt = std::shared_ptr<std::atomic<bool>>;

IOStatus NoteFailure(IOStatus status, const Doubt& doubt) {
  if (!status.ok()) *doubt = true;
  return status;
}

// A list of files. After any failure to write it, its content on disk is unknown.
class ListFile final : public rocksdb::FSWritableFileOwnerWrapper {
 public:
  ListFile(std::unique_ptr<FSWritableFile> file, Doubt doubt)
      : FSWritableFileOwnerWrapper(std::move(file)), doubt_(std::move(doubt)) {}

  IOStatus Append(const Slice& data, const IOOptions& options, IODebugContext* debug) override {
    return NoteFailure(FSWritableFileOwnerWrapper::Append(data, options, debug), doubt_);
  }
  IOStatus Append(const Slice& data, const IOOptions& options, const rocksdb::DataVerificationInfo& info,
                  IODebugContext* debug) override {
    return NoteFailure(FSWritableFileOwnerWrapper::Append(data, options, info, debug), doubt_);
  }
  IOStatus Flush(const IOOptions& options, IODebugContext* debug) override {
    return NoteFailure(FSWritableFileOwnerWrapper::Flush(options, debug), doubt_);
  }
  IOStatus Sync(const IOOptions& options, IODebugContext* debug) override {
    return NoteFailure(FSWritableFileOwnerWrapper::Sync(options, debug), doubt_);
  }
  IOStatus Fsync(const IOOptions& options, IODebugContext* debug) override {
    return NoteFailure(FSWritableFileOwnerWrapper::Fsync(options, debug), doubt_);
  }
  IOStatus Close(const IOOptions& options, IODebugContext* debug) override {
    return NoteFailure(FSWritableFileOwnerWrapper::Close(options, debug), doubt_);
  }

 private:
  Doubt doubt_;
};

// The file in which RocksDB notes its options at each open, and which it then reads and compares. Nothing
// else reads it.
bool IsOptions(const std::string& path) {
  return std::filesystem::path(path).filename().string().starts_with("OPTIONS-");
}

// The folder of the lists. The file CURRENT in it says which list is in use.
class ListFolder final : public rocksdb::FSDirectoryWrapper {
 public:
  ListFolder(std::unique_ptr<rocksdb::FSDirectory> folder, Doubt doubt)
      : FSDirectoryWrapper(std::move(folder)), doubt_(std::move(doubt)) {}

  IOStatus Fsync(const IOOptions& options, IODebugContext* debug) override {
    return NoteFailure(FSDirectoryWrapper::Fsync(options, debug), doubt_);
  }
  IOStatus FsyncWithDirOptions(const IOOptions& options, IODebugContext* debug,
                               const rocksdb::DirFsyncOptions& what) override {
    return NoteFailure(FSDirectoryWrapper::FsyncWithDirOptions(options, debug, what), doubt_);
  }

 private:
  Doubt doubt_;
};

class CarefulFileSystem final : public rocksdb::FileSystemWrapper {
 public:
  CarefulFileSystem(const std::shared_ptr<rocksdb::FileSystem>& base, InPlace in_place)
      : FileSystemWrapper(base), in_place_(std::move(in_place)) {}
  const char* Name() const override { return "CarefulFileSystem"; }

  IOStatus NewWritableFile(const std::string& path, const FileOptions& options,
                           std::unique_ptr<FSWritableFile>* file, IODebugContext* debug) override {
    if (IsOptions(path)) return IOStatus::NotSupported("not needed");  // RocksDB goes on without
    if (!in_place_()) return Elsewhere();
    IOStatus status = FileSystemWrapper::NewWritableFile(path, options, file, debug);
    if (status.ok() && IsListOfFiles(path)) *file = std::make_unique<ListFile>(std::move(*file), doubt_);
    return status;
  }

  IOStatus NewRandomAccessFile(const std::string& path, const FileOptions& options,
                               std::unique_ptr<rocksdb::FSRandomAccessFile>* file,
                               IODebugContext* debug) override {
    if (!in_place_()) return Elsewhere();
    return FileSystemWrapper::NewRandomAccessFile(path, options, file, debug);
  }

  IOStatus NewDirectory(const std::string& path, const IOOptions& options,
                        std::unique_ptr<rocksdb::FSDirectory>* folder, IODebugContext* debug) override {
    IOStatus status = FileSystemWrapper::NewDirectory(path, options, folder, debug);
    if (status.ok()) *folder = std::make_unique<ListFolder>(std::move(*folder), doubt_);
    return status;
  }

  IOStatus RenameFile(const std::string& from, const std::string& to, const IOOptions& options,
                      IODebugContext* debug) override {
    if (!in_place_()) return NoteFailure(Elsewhere(), doubt_);
    return NoteFailure(FileSystemWrapper::RenameFile(from, to, options, debug), doubt_);
  }

  IOStatus LinkFile(const std::string& from, const std::string& to, const IOOptions& options,
                    IODebugContext* debug) override {
    if (!in_place_()) return Elsewhere();
    return FileSystemWrapper::LinkFile(from, to, options, debug);
  }

  IOStatus DeleteFile(const std::string& path, const IOOptions& options, IODebugContext* debug) override {
    if (*doubt_) return IOStatus::Aborted("the list of files may name it");
    if (!in_place_()) return Elsewhere();
    return FileSystemWrapper::DeleteFile(path, options, debug);
  }

 private:
  static IOStatus Elsewhere() {
    return IOStatus::IOError("the model was removed or moved while it was open");
  }

  InPlace in_place_;
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
  if (error) return tl::unexpected(CannotRead(error.value(), path));
  return {};
}

std::unique_ptr<rocksdb::Env> CarefulEnv(const std::shared_ptr<rocksdb::FileSystem>& base, InPlace in_place) {
  return rocksdb::NewCompositeEnv(std::make_shared<CarefulFileSystem>(base, std::move(in_place)));
}

}  // namespace thresher::storage
