#include "pipeline/cluster/snapshot_bytes.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <cerrno>
#include <cstddef>
#include <cstring>
#include <fstream>
#include <system_error>
#include <vector>

#include "storage/byte_order.h"
#include "storage/write_file.h"

namespace thresher::pipeline {
namespace {

namespace fs = std::filesystem;

constexpr size_t kHeadBytes = sizeof(uint64_t) + sizeof(uint16_t);
constexpr size_t kLongestName = 100;
constexpr size_t kPartBytes = size_t{1} << 20;

Error NoFiles(const char* why) { return {kData, fmt::format("the bytes are no files of a model: {}", why)}; }

// A name that leads nowhere else.
bool IsFileName(std::string_view name) {
  return !name.empty() && name.size() <= kLongestName && name.front() != '.' &&
         std::all_of(name.begin(), name.end(), [](unsigned char c) {
           return std::isalnum(c) != 0 || c == '-' || c == '_' || c == '.';
         });
}

Result<void> PackFile(const fs::path& path, const TakeBytes& take) {
  const auto unreadable = [&] {
    return tl::unexpected(Error{kIo, fmt::format("{}: cannot be read", path.string())});
  };
  std::error_code unknown;
  const uint64_t size = fs::file_size(path, unknown);
  std::ifstream file(path, std::ios::binary);
  if (unknown || !file) return unreadable();
  const std::string name = path.filename();
  std::string head;
  storage::AppendLittle(size, &head);
  storage::AppendLittle(static_cast<uint16_t>(name.size()), &head);
  if (auto taken = take(head + name); !taken) return taken;
  std::vector<char> part(kPartBytes);
  for (uint64_t left = size; left > 0;) {
    const size_t now = std::min<uint64_t>(left, part.size());
    if (!file.read(part.data(), static_cast<std::streamsize>(now))) return unreadable();
    if (auto taken = take({part.data(), now}); !taken) return taken;
    left -= now;
  }
  return {};
}

}  // namespace

Result<void> PackFolder(const fs::path& folder, const TakeBytes& take) {
  std::vector<fs::path> files;
  std::error_code error;
  for (fs::directory_iterator entry(folder, error); !error && entry != fs::directory_iterator();
       entry.increment(error))
    files.push_back(entry->path());
  if (error) return tl::unexpected(Error{kIo, fmt::format("{}: {}", folder.string(), error.message())});
  std::sort(files.begin(), files.end());
  for (const fs::path& file : files) {
    if (auto packed = PackFile(file, take); !packed) return packed;
  }
  return {};
}

Error Unpacking::Failed(const char* what) const {
  return {kIo, fmt::format("{}: cannot {}: {}", (folder_ / name_).string(), what, std::strerror(errno))};
}

Result<void> Unpacking::Take(std::string_view bytes) {
  if (bytes.size() > room_) return tl::unexpected(NoFiles("there are too many"));
  room_ -= bytes.size();
  while (!bytes.empty()) {
    if (file_.is_open()) {
      const size_t now = std::min<uint64_t>(left_, bytes.size());
      if (auto written = Write(bytes.substr(0, now)); !written) return written;
      bytes.remove_prefix(now);
      continue;
    }
    const size_t now = std::min(HeadSize() - head_.size(), bytes.size());
    head_ += bytes.substr(0, now);
    bytes.remove_prefix(now);
    if (head_.size() < HeadSize()) continue;
    if (auto begun = Begin(); !begun) return begun;
  }
  return {};
}

// As far as it is known.
size_t Unpacking::HeadSize() const {
  if (head_.size() < kHeadBytes) return kHeadBytes;
  return kHeadBytes + storage::LoadLittle<uint16_t>(head_.data() + sizeof(uint64_t));
}

// The file whose head is complete.
Result<void> Unpacking::Begin() {
  left_ = storage::LoadLittle<uint64_t>(head_.data());
  name_ = head_.substr(kHeadBytes);
  head_.clear();
  if (!IsFileName(name_)) return tl::unexpected(NoFiles("a name is none of a file"));
  file_ = storage::Descriptor(
      ::open((folder_ / name_).c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, S_IRUSR | S_IWUSR));
  if (!file_.is_open()) return tl::unexpected(Failed("be made"));
  return left_ == 0 ? End() : Result<void>();
}

Result<void> Unpacking::Write(std::string_view bytes) {
  if (!storage::WriteAll(file_.number(), bytes)) return tl::unexpected(Failed("be written"));
  left_ -= bytes.size();
  return left_ == 0 ? End() : Result<void>();
}

Result<void> Unpacking::End() {
  const bool is_synced = ::fsync(file_.number()) == 0;
  file_.Close();
  return is_synced ? Result<void>() : tl::unexpected(Failed("be synced"));
}

Result<void> Unpacking::Finish() const {
  if (file_.is_open() || !head_.empty()) return tl::unexpected(NoFiles("the last one is not whole"));
  return {};
}

}  // namespace thresher::pipeline
