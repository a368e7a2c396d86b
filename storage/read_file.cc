#include "storage/read_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <utility>

#include "storage/descriptor.h"
#include "storage/system_error.h"

namespace thresher::storage {
namespace {

// If false, errno has the reason.
bool ReadToEnd(int fd, std::string* bytes) {
  struct stat status {};
  if (::fstat(fd, &status) != 0) return false;
  // A byte more, so that the second read finds the end of a file that does not grow. A larger buffer would
  // cost more than the reads: its pages are new to the process each time.
  bytes->resize(static_cast<size_t>(status.st_size) + 1);
  size_t size = 0;
  ssize_t got = 0;
  while (true) {
    got = ::read(fd, bytes->data() + size, bytes->size() - size);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) break;
    size += static_cast<size_t>(got);
    if (size == bytes->size()) bytes->resize(2 * size);
  }
  bytes->resize(size);
  return got == 0;
}

}  // namespace

Result<std::optional<std::string>> ReadFileIfThere(const std::filesystem::path& path) {
  const Descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK));
  if (!file.is_open() && errno == ENOENT) return std::nullopt;
  std::string bytes;
  if (!file.is_open() || !ReadToEnd(file.number(), &bytes)) return tl::unexpected(CannotRead(errno, path));
  return bytes;
}

Result<std::string> ReadWholeFile(const std::filesystem::path& path) {
  auto bytes = ReadFileIfThere(path);
  if (!bytes) return tl::unexpected(bytes.error());
  return std::move(*bytes).value_or("");
}

}  // namespace thresher::storage
