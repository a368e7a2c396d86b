#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>
#include <xxhash.h>

#include <bit>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

#include "storage/byte_order.h"
#include "storage/image_file.h"
#include "storage/image_layout.h"
#include "storage/stream_digest.h"
#include "storage/system_error.h"
#include "storage/write_file.h"

namespace thresher::storage {
namespace {

namespace fs = std::filesystem;

constexpr size_t kWritten = 256U << 10;  // bytes at a time

std::string_view Text(std::span<const std::byte> bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

// Writes a file in pieces, as all of it beside the rows would be a tenth of the memory of a large checkpoint.
class Pieces {
 public:
  explicit Pieces(int fd) : fd_(fd) {}

  // A section of the file.
  template <class T>
  void Put(std::span<const T> items) {
    Append(std::as_bytes(items));
    EndSection();
  }
  void Append(std::span<const std::byte> bytes) {
    piece_.append(Text(bytes));
    if (piece_.size() >= kWritten) Write();
  }
  // Each section begins at a multiple of 8 bytes.
  void EndSection() {
    const size_t size = written_ + piece_.size();
    piece_.append(PaddedSection(size) - size, '\0');
  }
  // False if any of it could not be written; errno then says why.
  bool Finish() {
    Write();
    if (reason_ != 0) errno = reason_;
    return reason_ == 0;
  }
  uint64_t checksum() const { return digest_.Number(); }

 private:
  void Write() {
    digest_.Add(piece_);
    if (reason_ == 0 && !WriteAll(fd_, piece_)) reason_ = errno;
    written_ += piece_.size();
    piece_.clear();
  }

  int fd_;
  int reason_ = 0;
  size_t written_ = 0;
  std::string piece_;
  StreamDigest digest_;
};

std::string EncodedMeta(const Meta& meta) {
  std::string bytes;
  for (const auto& [key, value] : meta) {
    for (const std::string& text : {key, value}) {
      AppendLittle(static_cast<uint32_t>(text.size()), &bytes);
      bytes += text;
    }
  }
  return bytes;
}

std::vector<uint32_t> GroupBegins(std::span<const ImageFile::Row> rows) {
  const unsigned bits = GroupBits(rows.size());
  std::vector<uint32_t> begins((size_t{1} << bits) + 1);
  for (const auto& row : rows) ++begins[GroupOfId(row.id, bits) + 1];
  for (size_t i = 1; i < begins.size(); ++i) begins[i] += begins[i - 1];
  return begins;
}

// Rows by their bytes: features that only the same messages had mostly have equal rows.
struct DistinctRows {
  std::vector<uint32_t> numbers;  // numbers[i]: the place in `rows` of the bytes of row i
  std::vector<const std::byte*> rows;
};

DistinctRows FindDistinct(const ImageFile::Content& content) {
  DistinctRows distinct;
  distinct.numbers.reserve(content.rows.size());
  // A hash table with open addressing, at most two thirds full: numbers, each with 1 added.
  std::vector<uint32_t> slots(std::bit_ceil(content.rows.size() * 3 / 2 + 1));
  for (const auto& row : content.rows) {
    size_t at = XXH3_64bits(row.bytes, content.row_bytes) % slots.size();
    const auto is_another = [&](uint32_t slot) {
      return slot != 0 && std::memcmp(distinct.rows[slot - 1], row.bytes, content.row_bytes) != 0;
    };
    while (is_another(slots[at])) at = (at + 1) % slots.size();
    if (slots[at] == 0) {
      distinct.rows.push_back(row.bytes);
      slots[at] = static_cast<uint32_t>(distinct.rows.size());
    }
    distinct.numbers.push_back(slots[at] - 1);
  }
  return distinct;
}

// After a failure, whose reason is in errno.
Result<void> GiveUp(const fs::path& unfinished) {
  const int reason = errno;
  ::unlink(unfinished.c_str());
  return tl::unexpected(SystemError(reason, fmt::format("cannot write {}", unfinished.string())));
}

}  // namespace

Result<void> ImageFile::Make(const fs::path& unfinished, const Content& content) {
  if (content.rows.size() >= std::numeric_limits<uint32_t>::max()) {
    errno = EFBIG;
    return GiveUp(unfinished);
  }
  const std::string meta = EncodedMeta(content.meta);
  const DistinctRows distinct = FindDistinct(content);
  ImageHeader header;
  header.applied_seq = content.applied_seq;
  header.row_bytes = content.row_bytes;
  header.rows = content.rows.size();
  header.distinct_rows = distinct.rows.size();
  header.meta_bytes = meta.size();
  header.globals_bytes = content.globals.size();

  const auto write = [&](int fd) {
    const auto of_header = std::as_bytes(std::span(&header, 1));
    if (!WriteAll(fd, Text(of_header.first(ImageHeader::kUnchecked)))) return false;
    Pieces pieces(fd);
    pieces.Put(of_header.subspan(ImageHeader::kUnchecked));
    pieces.Put(std::span<const char>(meta));
    pieces.Put(content.globals);
    pieces.Put(std::span<const uint32_t>(GroupBegins(content.rows)));
    const unsigned bits = GroupBits(content.rows.size());
    for (const Row& row : content.rows) {
      const uint8_t tag = TagOfId(row.id, bits);
      pieces.Append(std::as_bytes(std::span(&tag, 1)));
    }
    pieces.EndSection();
    for (size_t i = 0; i < content.rows.size(); ++i) {
      pieces.Append(std::as_bytes(std::span(&content.rows[i].id, 1)).first(kEndBytes));
      pieces.Append(std::as_bytes(std::span(&distinct.numbers[i], 1)));
    }
    pieces.EndSection();
    for (const std::byte* row : distinct.rows) pieces.Append(std::span(row, content.row_bytes));
    if (!pieces.Finish()) return false;
    header.checksum = pieces.checksum();
    return ::lseek(fd, 0, SEEK_SET) == 0 && WriteAll(fd, Text(of_header.first(ImageHeader::kUnchecked)));
  };
  return WritePrivateFile(unfinished, write) ? Result<void>() : GiveUp(unfinished);
}

Result<void> ImageFile::Publish(const fs::path& path, const fs::path& unfinished) {
  return ::rename(unfinished.c_str(), path.c_str()) == 0 ? Result<void>() : GiveUp(unfinished);
}

}  // namespace thresher::storage
