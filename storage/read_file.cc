#include "storage/read_file.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>

#include "storage/system_error.h"

namespace thresher::storage {

Result<std::string> ReadWholeFile(const std::filesystem::path& path) {
  constexpr size_t kFirstBytes = size_t{8}
                                 << 10;  // most files are smaller; memory that is not used costs time, too
  const int fd = open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (fd < 0 && errno == ENOENT) return "";
  std::string bytes;
  size_t size = 0;
  ssize_t got = fd < 0 ? -1 : 1;
  while (got > 0) {
    if (size == bytes.size()) bytes.resize(std::max(2 * size, kFirstBytes));
    got = read(fd, bytes.data() + size, bytes.size() - size);
    if (got > 0) size += static_cast<size_t>(got);
  }
  const int error = errno;
  if (fd >= 0) close(fd);
  if (got < 0) return tl::unexpected(CannotRead(error, path));
  bytes.resize(size);
  return bytes;
}

}  // namespace thresher::storage
