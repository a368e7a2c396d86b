#include "storage/log_note.h"

#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>
#include <xxhash.h>

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

#include "storage/read_file.h"
#include "storage/rocksdb_files.h"
#include "storage/store_directory.h"
#include "storage/write_file.h"

namespace thresher::storage {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kSynced = "synced\n";

// Logs, and what says which tables there are: a list of files that ends early would lose tables.
bool IsNoted(const fs::path& file) {
  return file.extension() == ".log" || file.filename() == "CURRENT" || IsListOfFiles(file);
}

// What `describe` says of each of these files, sorted; nothing if they cannot be listed or read.
template <class Describe>
std::optional<std::string> EachLog(const fs::path& dir, const Describe& describe) {
  std::vector<std::string> lines;
  std::error_code error;
  for (fs::directory_iterator entry(DatabasePath(dir), error); !error && entry != fs::directory_iterator();
       entry.increment(error)) {
    if (!IsNoted(entry->path())) continue;
    std::optional<std::string> line = describe(entry->path());
    if (!line) return std::nullopt;
    lines.push_back(*std::move(line));
  }
  if (error) return std::nullopt;
  std::ranges::sort(lines);
  std::string text;
  for (const std::string& line : lines) text += line;
  return text;
}

// One line for each of these files that is not empty.
std::optional<std::string> DescribeLogs(const fs::path& dir) {
  return EachLog(dir, [](const fs::path& file) -> std::optional<std::string> {
    const auto bytes = ReadWholeFile(file);
    if (!bytes) return std::nullopt;
    if (bytes->empty()) return "";
    return fmt::format("{} {} {:016x}\n", file.filename().string(), bytes->size(),
                       XXH3_64bits(bytes->data(), bytes->size()));
  });
}

// The same without the digests.
std::optional<std::string> SizesOfLogs(const fs::path& dir) {
  return EachLog(dir, [](const fs::path& file) -> std::optional<std::string> {
    std::error_code error;
    const auto bytes = fs::file_size(file, error);
    if (error) return std::nullopt;
    return bytes == 0 ? "" : fmt::format("{} {}\n", file.filename().string(), bytes);
  });
}

// Of a note.
std::string SizesIn(std::string_view note) {
  std::string sizes;
  while (!note.empty()) {
    const std::string_view line = note.substr(0, note.find('\n'));
    note.remove_prefix(std::min(note.size(), line.size() + 1));
    const size_t digest = line.rfind(' ');
    if (digest != std::string_view::npos) sizes.append(line.substr(0, digest)).append("\n");
  }
  return sizes;
}

}  // namespace

void WriteLogNote(const fs::path& dir, bool synced) {
  const auto logs = DescribeLogs(dir);
  const bool written =
      logs && WritePrivateFile(LogNotePath(dir), *logs + std::string(synced ? kSynced : std::string_view()));
  if (!written) ::unlink(LogNotePath(dir).c_str());
}

LogNote TakeLogNote(const fs::path& dir) {
  const auto note = ReadWholeFile(LogNotePath(dir));
  if (!note || note->empty()) return LogNote::kNone;
  ::unlink(LogNotePath(dir).c_str());
  const auto logs = DescribeLogs(dir);
  if (!logs) return LogNote::kNone;
  if (*note == *logs + std::string(kSynced)) return LogNote::kSameOnDisk;
  return *note == *logs ? LogNote::kSame : LogNote::kNone;
}

LogNoteStamp StampOfLogNote(const fs::path& dir) {
  struct stat status {};
  if (::stat(LogNotePath(dir).c_str(), &status) != 0) return {};
  return {.inode = status.st_ino, .seconds = status.st_mtim.tv_sec, .nanoseconds = status.st_mtim.tv_nsec};
}

bool IsClosedStore(const fs::path& dir) {
  const auto note = ReadWholeFile(LogNotePath(dir));
  if (!note || note->empty()) return false;
  const auto sizes = SizesOfLogs(dir);
  return sizes && *sizes == SizesIn(*note);
}

}  // namespace thresher::storage
