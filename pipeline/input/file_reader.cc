#include "pipeline/input/file_reader.h"

#include <sys/stat.h>

#include <algorithm>
#include <optional>

#include "pipeline/input/byte_stream.h"

namespace thresher::pipeline {
namespace {

std::optional<size_t> RegularSize(const InputFile& file) {
  struct stat status {};
  if (fstat(file.number(), &status) != 0 || !S_ISREG(status.st_mode)) return std::nullopt;
  return static_cast<size_t>(status.st_size);
}

// Replaces *bytes by the content of `reader`, at most limit + 1 bytes. short_read_ends: a read that returns
// less than asked for is the last one, as it is for regular files.
template <class Reader>
Result<void> ReadAll(Reader& reader, size_t capacity, bool short_read_ends, size_t limit,
                     std::string* bytes) {
  size_t size = 0;
  while (size <= limit) {
    if (size == capacity) capacity = 2 * size;
    bytes->resize(std::min(capacity, limit + 1));
    const size_t room = bytes->size() - size;
    const Result<size_t> count = reader.Read(bytes->data() + size, room);
    if (!count) return tl::unexpected(count.error());
    size += *count;
    if (*count == 0 || (short_read_ends && *count < room)) break;
  }
  bytes->resize(size);
  return {};
}

}  // namespace

Result<Extent> ReadFile(const std::string& path, std::string* bytes, size_t limit) {
  constexpr size_t kUnknownSize = 64u << 10;
  Result<InputFile> file = InputFile::Open(path);
  if (!file) return tl::unexpected(file.error());
  const std::optional<size_t> size = RegularSize(*file);
  // One byte more than the file has, so that the first read is short and known to be the last.
  const size_t capacity = size && *size > 0 ? *size + 1 : kUnknownSize;
  Result<void> read = ReadAll(*file, capacity, size && *size > 0, limit, bytes);
  if (read && IsCompressed(*bytes)) {
    const std::unique_ptr<ByteStream> stream = StreamOf(std::move(*file), std::move(*bytes));
    read = ReadAll(*stream, 4 * capacity, false, limit, bytes);
  }
  if (!read) return tl::unexpected(read.error());
  if (bytes->size() <= limit) return Extent::kWhole;
  bytes->resize(limit);
  return Extent::kCut;
}

}  // namespace thresher::pipeline
