#include "storage/write_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <unistd.h>

#include <cerrno>

#include "storage/descriptor.h"
#include "storage/system_error.h"

namespace thresher::storage {

bool CanTryAgain(int fd, short event) {
  if (errno == EINTR) return true;
  if (errno != EAGAIN && errno != EWOULDBLOCK) return false;
  pollfd waiting{.fd = fd, .events = event, .revents = 0};
  return ::poll(&waiting, 1, -1) > 0 || errno == EINTR;
}

bool WriteAll(int fd, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t count = ::write(fd, bytes.data(), bytes.size());
    if (count < 0 && !CanTryAgain(fd, POLLOUT)) return false;
    if (count > 0) bytes.remove_prefix(static_cast<size_t>(count));
  }
  return true;
}

bool WriteAllAt(int fd, std::string_view bytes, uint64_t at) {
  while (!bytes.empty()) {
    const ssize_t count = ::pwrite(fd, bytes.data(), bytes.size(), static_cast<off_t>(at));
    if (count < 0 && !CanTryAgain(fd, POLLOUT)) return false;
    if (count <= 0) continue;
    bytes.remove_prefix(static_cast<size_t>(count));
    at += static_cast<uint64_t>(count);
  }
  return true;
}

bool WritePrivateFile(const std::filesystem::path& path, std::string_view bytes) {
  return WritePrivateFile(path, [bytes](int fd) { return WriteAll(fd, bytes); });
}

bool WritePrivateFile(const std::filesystem::path& path, const std::function<bool(int)>& write) {
  // What is there may be a link to another file.
  if (::unlink(path.c_str()) != 0 && errno != ENOENT) return false;
  const int fd = ::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
  if (fd < 0) return false;
  const bool whole = write(fd);
  const int reason = errno;
  const bool closed = ::close(fd) == 0;
  if (!whole) errno = reason;
  return whole && closed;
}

Result<void> SyncDirectory(const std::filesystem::path& dir) {
  const Descriptor opened(open(dir.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (opened.is_open() && fsync(opened.number()) == 0) return {};
  return tl::unexpected(SystemError(errno, fmt::format("cannot sync {}", dir.string())));
}

}  // namespace thresher::storage
