#include "storage/join_logs.h"

#include <algorithm>
#include <memory>
#include <string>
#include <system_error>
#include <vector>

#include "storage/read_file.h"
#include "storage/rocksdb_files.h"
#include "storage/system_error.h"

namespace thresher::storage {
namespace {

namespace fs = std::filesystem;
using rocksdb::IOOptions;
using rocksdb::IOStatus;

// A record lies in one of RocksDB's blocks or is continued in the next; zeros at the end of a block are none.
constexpr size_t kLogBlock = 32U << 10;

std::vector<fs::path> LogsIn(const fs::path& path, bool are_empty, std::error_code* error) {
  std::vector<fs::path> logs;
  for (fs::directory_iterator entry(path, *error); !*error && entry != fs::directory_iterator();
       entry.increment(*error)) {
    std::error_code vanished;
    const bool is_log = entry->path().extension() == ".log";
    if (is_log && (entry->file_size(vanished) == 0) == are_empty && !vanished) logs.push_back(entry->path());
  }
  std::ranges::sort(logs, IsEarlierFile, [](const fs::path& log) { return log.filename().string(); });
  return logs;
}

IOStatus SyncLogFolder(const fs::path& path, rocksdb::FileSystem& disk) {
  std::unique_ptr<rocksdb::FSDirectory> folder;
  const IOStatus status = disk.NewDirectory(path.string(), IOOptions(), &folder, nullptr);
  return status.ok() ? folder->Fsync(IOOptions(), nullptr) : status;
}

}  // namespace

Result<void> JoinLogs(const fs::path& path, rocksdb::FileSystem& disk) {
  std::error_code error;
  const std::vector<fs::path> logs = LogsIn(path, /*are_empty=*/false, &error);
  if (error || logs.size() != 2) return {};
  auto both = ReadWholeFile(logs[0]);
  const auto newer = ReadWholeFile(logs[1]);
  if (!both) return tl::unexpected(both.error());
  if (!newer) return tl::unexpected(newer.error());
  both->resize((both->size() + kLogBlock - 1) / kLogBlock * kLogBlock);
  *both += *newer;
  fs::path unfinished = logs[1];
  unfinished.replace_extension(".dbtmp");  // RocksDB removes it if it is left
  IOStatus status = rocksdb::WriteStringToFile(&disk, *both, unfinished.string(), /*should_sync=*/true);
  if (status.ok()) status = disk.RenameFile(unfinished.string(), logs[1].string(), IOOptions(), nullptr);
  if (status.ok()) status = SyncLogFolder(path, disk);
  if (status.ok()) status = disk.DeleteFile(logs[0].string(), IOOptions(), nullptr);
  if (!status.ok()) return tl::unexpected(RocksError(status, path.parent_path()));
  return {};
}

bool HasLog(const fs::path& path) {
  std::error_code unreadable;  // whoever opens the database says why
  return !LogsIn(path, /*are_empty=*/false, &unreadable).empty();
}

void RemoveEmptyLogs(const fs::path& path) {
  std::error_code ignored;  // those that stay cost a little time
  for (const fs::path& log : LogsIn(path, /*are_empty=*/true, &ignored)) fs::remove(log, ignored);
}

}  // namespace thresher::storage
