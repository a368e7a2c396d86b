#include "pipeline/delivery/spool_usage.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <chrono>
#include <cinttypes>
#include <cstdio>
#include <cstring>
#include <string>
#include <string_view>
#include <thread>
#include <utility>

#include "storage/write_file.h"
#include "tokenizer/digest.h"

namespace thresher::pipeline {
namespace {

constexpr auto kLongestWait = std::chrono::seconds(1);
constexpr auto kPause = std::chrono::milliseconds(1);
constexpr char kFormat[] = "messages %" SCNu64 " bytes %" SCNu64 " counted %" SCNd64;

// The line without its checksum.
std::string LineOf(const SpoolTotals& totals) {
  return fmt::format("messages {} bytes {} counted {}", totals.messages, totals.bytes, totals.counted_ns);
}

Error Failure(const std::filesystem::path& path, int reason) {
  return {kIo, fmt::format("{}: {}", path.string(), std::strerror(reason))};
}

}  // namespace

Result<SpoolUsage> SpoolUsage::Lock(const std::filesystem::path& dir) {
  const std::filesystem::path path = dir / kFileName;
  storage::Descriptor file(::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600));
  if (!file.is_open()) return tl::unexpected(Failure(path, errno));
  const int fd = file.number();
  SpoolUsage usage(path, std::move(file));
  const auto deadline = std::chrono::steady_clock::now() + kLongestWait;
  while (::flock(fd, LOCK_EX | LOCK_NB) != 0) {
    if (errno != EWOULDBLOCK && errno != EINTR) return tl::unexpected(Failure(path, errno));
    if (std::chrono::steady_clock::now() > deadline)
      return tl::unexpected(Error{kBusy, fmt::format("{} is locked by another process", path.string())});
    std::this_thread::sleep_for(kPause);
  }
  return usage;
}

std::optional<SpoolTotals> SpoolUsage::Read() const {
  std::array<char, 256> buffer{};
  const ssize_t count = ::pread(file_.number(), buffer.data(), buffer.size() - 1, 0);
  if (count <= 0) return std::nullopt;
  const std::string_view text(buffer.data(), static_cast<size_t>(count));
  SpoolTotals totals;
  if (std::sscanf(buffer.data(), kFormat, &totals.messages, &totals.bytes, &totals.counted_ns) != 3)
    return std::nullopt;
  const std::string line = LineOf(totals);
  if (text != line + " " + tokenizer::DigestOf(line) + "\n") return std::nullopt;
  return totals;
}

Result<void> SpoolUsage::Write(const SpoolTotals& totals) const {
  const std::string line = LineOf(totals);
  const std::string text = line + " " + tokenizer::DigestOf(line) + "\n";
  if (!storage::WriteAllAt(file_.number(), text, 0) ||
      ::ftruncate(file_.number(), static_cast<off_t>(text.size())) != 0)
    return tl::unexpected(Failure(path_, errno));
  return {};
}

}  // namespace thresher::pipeline
