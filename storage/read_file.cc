#include "storage/read_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>

#include "storage/system_error.h"

namespace thresher::storage {

Result<std::string> ReadWholeFile(const std::filesystem::path& path) {
  constexpr size_t kFirstStep = size_t{4} << 10;
  const int fd = open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (fd < 0 && errno == ENOENT) return "";
  struct stat status {};
  std::string bytes;
  size_t size = 0;
  ssize_t got = fd < 0 || fstat(fd, &status) != 0 ? -1 : 1;
  while (got > 0) {
    // Room for all of it and the read that finds the end, and no more: memory that is not needed must be
    // cleared, too.
    const size_t expected = static_cast<size_t>(status.st_size) + 1;
    if (size == bytes.size()) bytes.resize(std::max({expected, 2 * size, kFirstStep}));
    got = read(fd, bytes.data() + size, bytes.size() - size);
    if (got > 0) size += static_cast<size_t>(got);
  }
  const int error = errno;
  if (fd >= 0) close(fd);
  if (got < 0) return tl::unexpected(SystemError(error, fmt::format("cannot read {}", path.string())));
  bytes.resize(size);
  return bytes;
}

}  // namespace thresher::storage
