#include "pipeline/distributed/file_lines.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <string_view>
#include <utility>

#include "pipeline/file_pointer.h"
#include "pipeline/input/byte_stream.h"
#include "pipeline/input/whole_line.h"

namespace thresher::pipeline {
namespace {

tl::unexpected<Error> WrongLine(const std::string& path, uint64_t at, std::string_view why) {
  return tl::unexpected(Error{kData, fmt::format("{}: the line at byte {}: {}", path, at, why)});
}

tl::unexpected<Error> CannotRead(const std::string& path) {
  return tl::unexpected(Error{kNoInput, fmt::format("{}: {}", path, std::strerror(errno))});
}

}  // namespace

Result<uint64_t> SizeOfLines(const std::string& path) {
  std::error_code error;
  const uint64_t size = std::filesystem::file_size(path, error);
  if (error) return tl::unexpected(Error{kNoInput, fmt::format("{}: {}", path, error.message())});
  const FilePointer file(std::fopen(path.c_str(), "re"));
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
  auto file = InputFile::Open(path);
  if (!file) return tl::unexpected(file.error());
  // The line that has the byte before begins before the range.
  uint64_t at = range.begin > 0 ? range.begin - 1 : 0;
  if (::lseek(file->number(), static_cast<off_t>(at), SEEK_SET) < 0) return CannotRead(path);
  LineReader reader(RestOf(*std::move(file)));
  std::string line;
  LineExample example;
  while (at < range.end) {
    const auto read = NextLine(&reader, &line);
    if (!read) return tl::unexpected(read.error());
    if (*read == LineRead::kEnd) return {};
    if (*read == LineRead::kTooLong) return WrongLine(path, at, kLineIsTooLong);
    if (at >= range.begin) {
      const auto parsed = ParseExampleLine(line, &example);
      if (!parsed) return WrongLine(path, at, parsed.error());
      if (*parsed) take(example);
    }
    at += line.size();
  }
  return {};
}

}  // namespace thresher::pipeline
