#include "pipeline/terminal/output_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <utility>

namespace thresher::pipeline {

Result<OutputFile> OutputFile::Open(const std::string& path, Readers readers, const std::string& name) {
  if (path == "-") return OutputFile(FilePointer(stdout), path, "standard output");
  const bool is_private = readers == Readers::kOwner;
  const std::string& shown = name.empty() ? path : name;
  const auto failed = [&] {
    return tl::unexpected(Error{kCantCreate, fmt::format("{}: {}", shown, std::strerror(errno))});
  };
  const int fd = ::open(path.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, is_private ? 0600 : 0666);
  if (fd < 0) return failed();
  FilePointer opened = FileOf(fd, "a");
  if (opened == nullptr) return failed();
  OutputFile file(std::move(opened), path, shown);
  struct stat status {};
  const bool is_open_to_others = is_private && ::fstat(fd, &status) == 0 && S_ISREG(status.st_mode) &&
                                 (status.st_mode & (S_IRWXG | S_IRWXO)) != 0;
  if (is_open_to_others && ::fchmod(fd, status.st_mode & S_IRWXU) != 0) return failed();
  return file;
}

Result<std::optional<OutputFile>> OutputFile::OpenIfNamed(const std::string& path, Readers readers) {
  if (path.empty()) return std::nullopt;
  auto file = Open(path, readers);
  if (!file) return tl::unexpected(file.error());
  return *std::move(file);
}

bool OutputFile::TakeAlone() {
  struct stat ours {};
  struct stat there {};
  // Some file systems have no locks.
  return (::flock(::fileno(file_.get()), LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK) &&
         ::fstat(::fileno(file_.get()), &ours) == 0 && ::lstat(path_.c_str(), &there) == 0 &&
         ours.st_ino == there.st_ino && ours.st_dev == there.st_dev;
}

void OutputFile::Write(std::string_view bytes) {
  Begin();
  if (bytes.empty()) return;  // its data may be null
  Note(std::fwrite(bytes.data(), 1, bytes.size(), file_.get()) == bytes.size());
}

Result<void> OutputFile::Close() {
  Begin();
  Note(std::fflush(file_.get()) == 0);
  return error_ == 0 ? Result<void>() : Failed();
}

Result<void> OutputFile::CloseSynced() {
  auto closed = Close();
  if (!closed || ::fdatasync(::fileno(file_.get())) == 0) return closed;
  error_ = errno;
  return Failed();
}

tl::unexpected<Error> OutputFile::Failed() const {
  return tl::unexpected(Error{kIo, fmt::format("{}: {}", name_, std::strerror(error_))});
}

// Right after a call, before another one changes errno. A full buffer may have failed to leave although the
// call took all of its bytes.
void OutputFile::Note(bool succeeded) {
  const int reason = errno != 0 ? errno : EIO;
  if (error_ == 0 && (!succeeded || std::ferror(file_.get()) != 0)) error_ = reason;
}

void OutputFile::Begin() {
  if (std::exchange(begun_, true) || file_.get() == stdout) return;
  const bool emptied =
      ::ftruncate(::fileno(file_.get()), 0) == 0 || errno == EINVAL;  // EINVAL: a pipe or a device
  if (!emptied) error_ = errno;
}

}  // namespace thresher::pipeline
