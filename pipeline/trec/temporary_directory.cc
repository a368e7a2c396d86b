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

// Removes a directory of this user that no process holds a lock on. Without the lock nobody can use it: Make
// takes the lock before it hands a directory out.
void RemoveIfAbandoned(const fs::path& path) {
  const storage::Descriptor directory = OpenDirectory(path);
  if (!directory.is_open()) return;
  struct stat status {};
  std::error_code ignored;
  if (::fstat(directory.number(), &status) == 0 && status.st_uid == ::geteuid() &&
      ::flock(directory.number(), LOCK_EX | LOCK_NB) == 0)
    fs::remove_all(path, ignored);
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

bool TemporaryDirectory::MakeAndLock(const std::string& path_template) {
  while (true) {
    std::string path = path_template;
    if (::mkdtemp(path.data()) == nullptr) return false;
    // Another process may see the directory before it is locked, and remove it.
    lock_ = OpenDirectory(path);
    if (!lock_.is_open() && errno == ENOENT) continue;
    if (!lock_.is_open() || ::flock(lock_.number(), LOCK_EX) != 0) return false;
    struct stat status {};
    if (::fstat(lock_.number(), &status) == 0 && status.st_nlink > 0) {
      path_ = path;
      return true;
    }
  }
}

TemporaryDirectory::~TemporaryDirectory() {
  std::error_code ignored;
  if (!path_.empty()) fs::remove_all(path_, ignored);
}

}  // namespace thresher::pipeline
