#include "storage/sync_mark.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <xxhash.h>

#include <algorithm>
#include <cerrno>
#include <system_error>

#include "storage/byte_order.h"
#include "storage/read_file.h"
#include "storage/store_directory.h"
#include "storage/system_error.h"
#include "storage/write_file.h"

namespace thresher::storage {
namespace {

namespace fs = std::filesystem;

// tag of the store u64 · number u64 · XXH3 of both
constexpr size_t kNumberAt = 8;
constexpr size_t kChecksumAt = 16;
constexpr size_t kMarkBytes = 24;

std::string Tag(std::string_view store_identity) {
  std::string tag;
  AppendLittle(XXH3_64bits(store_identity.data(), store_identity.size()), &tag);
  return tag;
}

bool IsIntact(std::string_view mark) {
  return mark.size() == kMarkBytes &&
         LoadLittle<uint64_t>(mark.data() + kChecksumAt) == XXH3_64bits(mark.data(), kChecksumAt);
}

fs::path MarkPath(const fs::path& dir) { return DatabasePath(dir) / "SYNCED"; }

uint64_t LargestIn(std::string_view log, std::string_view tag) {
  uint64_t largest = 0;
  for (size_t at = log.find(tag); at != std::string_view::npos; at = log.find(tag, at + 1)) {
    const std::string_view mark = log.substr(at, kMarkBytes);
    if (IsIntact(mark)) largest = std::max(largest, LoadLittle<uint64_t>(mark.data() + kNumberAt));
  }
  return largest;
}

}  // namespace

std::string SyncMark(std::string_view store_identity, uint64_t synced) {
  std::string mark = Tag(store_identity);
  AppendLittle(synced, &mark);
  AppendLittle(XXH3_64bits(mark.data(), mark.size()), &mark);
  return mark;
}

Result<uint64_t> LargestSyncMark(const fs::path& dir, std::string_view store_identity) {
  const std::string tag = Tag(store_identity);
  uint64_t largest = 0;
  std::error_code error;
  for (fs::directory_iterator entry(DatabasePath(dir), error); !error && entry != fs::directory_iterator();
       entry.increment(error)) {
    if (entry->path().extension() != ".log" && entry->path() != MarkPath(dir)) continue;
    const auto bytes = ReadWholeFile(entry->path());
    if (!bytes) return tl::unexpected(bytes.error());
    largest = std::max(largest, LargestIn(*bytes, tag));
  }
  if (error) {
    return tl::unexpected(CannotRead(error.value(), DatabasePath(dir)));
  }
  return largest;
}

Result<std::unique_ptr<SyncMarkFile>> SyncMarkFile::Open(const fs::path& dir) {
  const fs::path path = MarkPath(dir);
  Descriptor file(open(path.c_str(), O_WRONLY | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0644));
  if (!file.is_open())
    return tl::unexpected(SystemError(errno, fmt::format("cannot open {}", path.string())));
  return std::unique_ptr<SyncMarkFile>(new SyncMarkFile(std::move(file), path));
}

Result<void> SyncMarkFile::Write(std::string_view mark) {
  const std::lock_guard lock(mutex_);
  if (WriteAllAt(file_.number(), mark, 0)) return {};
  return tl::unexpected(SystemError(errno, fmt::format("cannot write {}", path_.string())));
}

}  // namespace thresher::storage
