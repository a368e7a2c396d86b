#include "storage/copy_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <utility>
#include <vector>

#include "storage/descriptor.h"
#include "storage/system_error.h"
#include "storage/write_file.h"

namespace thresher::storage {
namespace {

constexpr size_t kBufferBytes = size_t{1} << 20;

}  // namespace

Result<uint64_t> CopyFile(const std::filesystem::path& from, const std::filesystem::path& to) {
  const auto failure = [&](const char* doing, const std::filesystem::path& path) {
    Error error = SystemError(errno, fmt::format("cannot {} {}", doing, path.string()));
    if (&path == &to && error.kind == ErrorKind::kMissing) error.kind = ErrorKind::kIo;
    return tl::unexpected(std::move(error));
  };
  const Descriptor in(::open(from.c_str(), O_RDONLY | O_CLOEXEC));
  if (!in.is_open()) return failure("read", from);
  // Never writes into the file that is there: it may be a hard link.
  if (::unlink(to.c_str()) != 0 && errno != ENOENT) return failure("write", to);
  const Descriptor out(::open(to.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, S_IRUSR | S_IWUSR));
  if (!out.is_open()) return failure("write", to);
  std::vector<char> buffer(kBufferBytes);
  uint64_t copied = 0;
  for (;;) {
    const ssize_t count = ::read(in.number(), buffer.data(), buffer.size());
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return failure("read", from);
    if (count == 0) break;
    if (!WriteAll(out.number(), {buffer.data(), static_cast<size_t>(count)})) return failure("write", to);
    copied += static_cast<uint64_t>(count);
  }
  if (::fsync(out.number()) != 0) return failure("write", to);
  return copied;
}

bool LinkFile(const std::filesystem::path& from, const std::filesystem::path& to) {
  return ::link(from.c_str(), to.c_str()) == 0;
}

}  // namespace thresher::storage
