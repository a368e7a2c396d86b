#include "storage/log_note.h"

#include <fmt/format.h>
#include <unistd.h>
#include <xxhash.h>

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

#include "storage/read_file.h"
#include "storage/store_directory.h"
#include "storage/write_file.h"

namespace thresher::storage {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kSynced = "synced\n";

// Logs, and what says which tables there are: a list of files that ends early would lose tables.
bool IsNoted(const fs::path& file) {
  return file.extension() == ".log" || file.filename() == "CURRENT" ||
         file.filename().string().starts_with("MANIFEST-");
}

// One line for each of these files that is not empty; nothing if they cannot be listed or read.
std::optional<std::string> DescribeLogs(const fs::path& dir) {
  std::vector<std::string> lines;
  std::error_code error;
  for (fs::directory_iterator entry(DatabasePath(dir), error); !error && entry != fs::directory_iterator();
       entry.increment(error)) {
    if (!IsNoted(entry->path())) continue;
    const auto bytes = ReadWholeFile(entry->path());
    if (!bytes) return std::nullopt;
    if (bytes->empty()) continue;
    lines.push_back(fmt::format("{} {} {:016x}\n", entry->path().filename().string(), bytes->size(),
                                XXH3_64bits(bytes->data(), bytes->size())));
  }
  if (error) return std::nullopt;
  std::ranges::sort(lines);
  std::string text;
  for (const std::string& line : lines) text += line;
  return text;
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

}  // namespace thresher::storage
