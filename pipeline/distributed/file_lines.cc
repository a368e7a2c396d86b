#include "pipeline/distributed/file_lines.h"

#include <fmt/format.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <memory>

#include "pipeline/input/byte_stream.h"

namespace thresher::pipeline {
namespace {

struct CloseLines {
  void operator()(std::FILE* file) const { std::fclose(file); }
};
using LinesFile = std::unique_ptr<std::FILE, CloseLines>;

// A line, as getline(3) allocates it.
struct LineBuffer {
  LineBuffer() = default;
  LineBuffer(const LineBuffer&) = delete;
  LineBuffer& operator=(const LineBuffer&) = delete;
  ~LineBuffer() { std::free(bytes); }

  char* bytes = nullptr;
  size_t capacity = 0;
};

tl::unexpected<Error> CannotRead(const std::string& path) {
  return tl::unexpected(Error{kNoInput, fmt::format("{}: {}", path, std::strerror(errno))});
}

}  // namespace

Result<uint64_t> SizeOfLines(const std::string& path) {
  std::error_code error;
  const uint64_t size = std::filesystem::file_size(path, error);
  if (error) return tl::unexpected(Error{kNoInput, fmt::format("{}: {}", path, error.message())});
  const LinesFile file(std::fopen(path.c_str(), "re"));
  if (file == nullptr) return CannotRead(path);
  std::string head(kMagicBytes, '\0');
  head.resize(std::fread(head.data(), 1, head.size(), file.get()));
  if (std::ferror(file.get()) != 0) return CannotRead(path);
  if (IsCompressed(head))
    return tl::unexpected(
        Error{kUsage, fmt::format("{}: is compressed; several processes read ranges of the file, which must "
                                  "not be",
                                  path)});
  return size;
}

Result<void> ForEachLineOf(const std::string& path, const FileRange& range,
                           const std::function<void(const LineExample&)>& take) {
  const LinesFile file(std::fopen(path.c_str(), "re"));
  if (file == nullptr) return CannotRead(path);
  LineBuffer line;
  uint64_t at = range.begin;
  if (at > 0) {  // the line that has the byte before begins before the range
    --at;
    if (::fseeko(file.get(), static_cast<off_t>(at), SEEK_SET) != 0) return CannotRead(path);
    const ssize_t skipped = ::getline(&line.bytes, &line.capacity, file.get());
    if (skipped < 0) return {};
    at += static_cast<uint64_t>(skipped);
  }
  LineExample example;
  while (at < range.end) {
    const ssize_t length = ::getline(&line.bytes, &line.capacity, file.get());
    if (length < 0 && std::ferror(file.get()) != 0) return CannotRead(path);
    if (length < 0) return {};
    const auto parsed = ParseExampleLine({line.bytes, static_cast<size_t>(length)}, &example);
    if (!parsed)
      return tl::unexpected(
          Error{kData, fmt::format("{}: the line at byte {}: {}", path, at, parsed.error())});
    if (*parsed) take(example);
    at += static_cast<uint64_t>(length);
  }
  return {};
}

}  // namespace thresher::pipeline
