#include "pipeline/terminal/whole_file.h"

#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdio>
#include <system_error>
#include <tuple>
#include <utility>

#include "storage/write_file.h"

namespace thresher::pipeline {
namespace {

namespace fs = std::filesystem;

fs::path BesideOf(const fs::path& path) { return path.string() + ".new"; }

// Whether it can be replaced; else it is a pipe, a device or a folder.
bool IsFileOrNothing(const std::string& path) {
  std::error_code ignored;
  const fs::file_status status = fs::status(path, ignored);
  return path != "-" && (fs::is_regular_file(status) || !fs::exists(status));
}

// Without links.
fs::path PlaceOf(const std::string& path) {
  std::error_code failed;
  fs::path place = fs::weakly_canonical(path, failed);
  return failed ? fs::path(path) : place;
}

// The owner, the group and the permissions of the file `from`, as far as this user may give them.
void GiveAs(const fs::path& from, const std::string& to) {
  struct stat before {};
  if (::stat(from.c_str(), &before) != 0 || !S_ISREG(before.st_mode)) return;
  std::ignore = ::chown(to.c_str(), before.st_uid, before.st_gid);
  std::ignore = ::chmod(to.c_str(), before.st_mode & (S_IRWXU | S_IRWXG | S_IRWXO));
}

}  // namespace

std::optional<fs::path> WholeFile::Beside(const std::string& path) {
  if (!IsFileOrNothing(path)) return std::nullopt;
  return BesideOf(PlaceOf(path));
}

Result<WholeFile> WholeFile::Open(const std::string& path, OutputFile::Readers readers) {
  if (!IsFileOrNothing(path)) {
    auto file = OutputFile::Open(path, readers);
    if (!file) return tl::unexpected(file.error());
    return WholeFile(*std::move(file), {}, true);
  }
  std::error_code error;
  const fs::path place = PlaceOf(path);
  const std::string beside = BesideOf(place).string();
  for (const std::string& file : {place.string(), beside}) {
    if (fs::is_symlink(fs::symlink_status(file, error)))
      return tl::unexpected(FileError(kCantCreate, file, "is a link; remove it"));
  }
  const bool was_there = fs::exists(beside, error);
  auto file = OutputFile::Open(beside, readers, was_there ? beside : path);
  if (!file) return tl::unexpected(file.error());
  if (!file->TakeAlone()) return tl::unexpected(FileError(kBusy, path, "another process is writing it"));
  if (readers == OutputFile::Readers::kAsUsual) GiveAs(place, beside);
  return WholeFile(*std::move(file), place, was_there);
}

Result<std::optional<WholeFile>> WholeFile::OpenIfNamed(const std::string& path,
                                                        OutputFile::Readers readers) {
  if (path.empty()) return std::nullopt;
  auto file = Open(path, readers);
  if (!file) return tl::unexpected(file.error());
  return *std::move(file);
}

WholeFile::~WholeFile() {
  std::error_code ignored;
  const bool is_ours = !was_there_ || file_.HasBegun();
  if (!path_.empty() && is_ours) fs::remove(BesideOf(path_), ignored);
}

WholeFile::WholeFile(WholeFile&& other) noexcept
    : file_(std::move(other.file_)), path_(std::exchange(other.path_, {})), was_there_(other.was_there_) {}

Result<void> WholeFile::Close() {
  if (path_.empty()) return file_.Close();
  if (auto closed = file_.CloseSynced(); !closed) return closed;
  std::error_code error;
  const fs::path path = std::exchange(path_, {});
  fs::rename(BesideOf(path), path, error);
  if (error) {
    return tl::unexpected(
        FileError(kCantCreate, path.string(),
                  fmt::format("{}; {} has all of it", error.message(), BesideOf(path).string())));
  }
  const fs::path folder = path.parent_path();
  if (auto synced = storage::SyncDirectory(folder.empty() ? "." : folder); !synced)
    return tl::unexpected(Error{kIo, synced.error().message});
  return {};
}

}  // namespace thresher::pipeline
