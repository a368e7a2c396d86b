#include "pipeline/trec/temporary_directory.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <string>
#include <system_error>

namespace thresher::pipeline {
namespace {

namespace fs = std::filesystem;

storage::Descriptor OpenDirectory(const fs::path& path) {
  return storage::Descriptor(::open(path.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
}

// A file in what Make has made: only that is removed, whatever else has a name that begins so.
constexpr char kMark[] = ".thresher-temporary";

bool IsMarked(const storage::Descriptor& directory) {
  struct stat status {};
  return ::fstatat(directory.number(), kMark, &status, AT_SYMLINK_NOFOLLOW) == 0 && S_ISREG(status.st_mode) &&
         status.st_uid == ::geteuid();
}

// The mark goes last, so that what is left of an attempt is removed later.
void Remove(const fs::path& path) {
  std::error_code error;
  for (fs::directory_iterator entry(path, error); !error && entry != fs::directory_iterator();
       entry.increment(error)) {
    std::error_code ignored;
    if (entry->path().filename() != kMark) fs::remove_all(entry->path(), ignored);
  }
  fs::remove_all(path, error);
}

// Removes a directory that Make has made and no process holds a lock on: it is marked under that lock.
void RemoveIfAbandoned(const fs::path& path) {
  const storage::Descriptor directory = OpenDirectory(path);
  if (directory.is_open() && IsMarked(directory) && ::flock(directory.number(), LOCK_EX | LOCK_NB) == 0)
    Remove(path);
}

void RemoveAbandoned(const fs::path& folder, const std::string& prefix) {
  std::error_code error;
  for (fs::directory_iterator entry(folder, error); !error && entry != fs::directory_iterator();
       entry.increment(error)) {
    if (entry->path().filename().string().starts_with(prefix)) RemoveIfAbandoned(entry->path());
  }
}

}  // namespace

Result<std::unique_ptr<TemporaryDirectory>> TemporaryDirectory::Make(std::string_view name) {
  auto interrupts = Interrupts::HoldBack();
  if (!interrupts) return tl::unexpected(interrupts.error());
  std::error_code error;
  const fs::path folder = fs::temp_directory_path(error);
  const std::string prefix = fmt::format("{}-", name);
  const std::string path_template = (folder / (prefix + "XXXXXX")).string();
  std::unique_ptr<TemporaryDirectory> made(new TemporaryDirectory(*std::move(interrupts)));
  if (!error) RemoveAbandoned(folder, prefix);
  if (!error && !made->MakeAndLock(path_template)) error.assign(errno, std::generic_category());
  if (!error) return made;
  return tl::unexpected(Error{
      kCantCreate, fmt::format("{}: cannot make a temporary directory: {}", path_template, error.message())});
}

bool TemporaryDirectory::MakeAndLock(std::string path) {
  if (::mkdtemp(path.data()) == nullptr) return false;
  path_ = path;
  lock_ = OpenDirectory(path);
  if (!lock_.is_open() || ::flock(lock_.number(), LOCK_EX) != 0) return false;
  constexpr int kNew = O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC;
  return storage::Descriptor(::openat(lock_.number(), kMark, kNew, 0600)).is_open();
}

TemporaryDirectory::~TemporaryDirectory() {
  if (!path_.empty()) Remove(path_);
}

}  // namespace thresher::pipeline
