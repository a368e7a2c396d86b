#include "storage/store_directory.h"

#include <fmt/format.h>
#include <sys/stat.h>

#include <cerrno>
#include <fstream>
#include <set>
#include <string>
#include <system_error>

#include "storage/private_directory.h"
#include "storage/system_error.h"

namespace thresher::storage {
namespace fs = std::filesystem;

namespace {

using Check = Result<void> (*)(const fs::path&);

Result<void> CheckParts(const fs::path& dir, Check whole, Check part) {
  for (const fs::path& each : {dir, DatabasePath(dir), SpoolPath(dir)}) {
    std::error_code unknown;
    if (!fs::is_directory(each, unknown)) continue;  // who needs it says so
    if (auto checked = (each == dir ? whole : part)(each); !checked) return checked;
  }
  return {};
}

// With the numbers of their files, as a writer that closes the store may put a log in the place of another.
std::string NamesOfLogs(const fs::path& dir) {
  std::set<std::string> names;
  std::error_code error;
  for (fs::directory_iterator entry(DatabasePath(dir), error); !error && entry != fs::directory_iterator();
       entry.increment(error)) {
    struct stat status {};
    if (entry->path().extension() == ".log" && stat(entry->path().c_str(), &status) == 0)
      names.insert(fmt::format(" {} {}", entry->path().filename().string(), status.st_ino));
  }
  std::string all;
  for (const std::string& name : names) all += name;
  return all;
}

}  // namespace

fs::path DatabasePath(const fs::path& dir) { return dir / kDatabaseName; }
fs::path UnfinishedPath(const fs::path& dir) { return dir / "db.new"; }
fs::path NewTablesPath(const fs::path& dir) { return dir / "db.add"; }
fs::path ImagePath(const fs::path& dir) { return dir / "image"; }
fs::path ImageChangesPath(const fs::path& dir) { return dir / "image.changes"; }
fs::path WriterLockPath(const fs::path& dir) { return dir / "writer"; }
fs::path SpoolPath(const fs::path& dir) { return dir / "spool"; }
fs::path LogNotePath(const fs::path& dir) { return dir / "logs"; }
fs::path UnfinishedImagePath(const fs::path& dir) { return dir / "image.new"; }

bool HasLostItsDatabase(const fs::path& dir) {
  const auto is_file = [](const fs::path& path) {
    std::error_code unknown;
    return fs::is_regular_file(fs::symlink_status(path, unknown));
  };
  return is_file(WriterLockPath(dir)) && (is_file(ImagePath(dir)) || is_file(LogNotePath(dir)));
}

Result<void> CheckVacant(const fs::path& dir) {
  std::error_code error;
  fs::directory_iterator entries(dir, error);
  if (error == std::errc::no_such_file_or_directory || error == std::errc::not_a_directory) return {};
  if (error) return tl::unexpected(SystemError(error.value(), fmt::format("cannot read {}", dir.string())));
  while (entries != fs::directory_iterator()) {
    const fs::path name = entries->path().filename();
    if (name != WriterLockPath("") && name != SpoolPath("") && name != UnfinishedPath("") &&
        name != UnfinishedImagePath("")) {
      return tl::unexpected(
          Error{ErrorKind::kDenied, fmt::format("{} is not a model and not empty (it holds '{}'): name "
                                                "an empty or a new directory",
                                                dir.string(), name.string())});
    }
    entries.increment(error);
    if (error) return tl::unexpected(SystemError(error.value(), fmt::format("cannot read {}", dir.string())));
  }
  return {};
}

std::string StateName(const fs::path& dir) {
  std::string manifest;
  std::ifstream current(DatabasePath(dir) / "CURRENT");
  std::getline(current, manifest);
  struct stat status {};
  if (manifest.empty() || stat((DatabasePath(dir) / manifest).c_str(), &status) != 0) return {};
  return fmt::format("{} {} {}{}", manifest, status.st_ino, status.st_size, NamesOfLogs(dir));
}

Result<FileTotals> TotalsOfFiles(const fs::path& dir, std::string_view extension) {
  FileTotals totals;
  std::error_code error;
  for (fs::directory_iterator entry(DatabasePath(dir), error); !error && entry != fs::directory_iterator();
       entry.increment(error)) {
    if (!extension.empty() && entry->path().extension() != extension) continue;
    std::error_code vanished;  // a writer may remove files meanwhile
    const auto size = entry->file_size(vanished);
    if (vanished || size == 0) continue;
    totals.bytes += size;
    ++totals.files;
  }
  if (error) return tl::unexpected(CannotRead(error.value(), DatabasePath(dir)));
  return totals;
}

Result<void> CheckReadableStore(const fs::path& dir) {
  return CheckParts(dir, CheckPrivateDirectory, CheckPrivateDirectory);
}
Result<void> CheckWritableStore(const fs::path& dir) {
  return CheckParts(dir, CheckOwnDirectory, CheckOwnPart);
}

}  // namespace thresher::storage
