#include "storage/image_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>
#include <xxhash.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cerrno>
#include <cstring>
#include <limits>
#include <memory>
#include <new>
#include <string>
#include <utility>

#include "storage/byte_order.h"
#include "storage/store_directory.h"
#include "storage/system_error.h"
#include "storage/wide_checksum.h"
#include "storage/write_file.h"

namespace thresher::storage {
namespace {

namespace fs = std::filesystem;

constexpr std::array<char, 16> kMagic = {'t', 'h', 'r', 'e', 's', 'h', 'e', 'r',
                                         ' ', 'i', 'm', 'a', 'g', 'e', ' ', '2'};

constexpr size_t kFetchAhead = 16;  // ids
constexpr size_t kIdsPerLine = 8;   // of the processor's caches
constexpr size_t kCounted = 16;     // ids of a group

constexpr size_t kWritten = 256U << 10;  // bytes at a time

constexpr size_t kMappedTogether = 64U << 10;  // bytes around a page that the kernel maps with it

size_t Padded(size_t bytes) { return (bytes + 7) / 8 * 8; }

// Writes a file in pieces, as all of it beside the rows would be a tenth of the memory of a large checkpoint.
class Pieces {
 public:
  explicit Pieces(int fd) : fd_(fd), checksum_(XXH3_createState(), &XXH3_freeState) {
    if (!checksum_) throw std::bad_alloc();
    XXH3_64bits_reset(checksum_.get());
  }

  // Each section begins at a multiple of 8 bytes.
  template <class T>
  void Put(std::span<const T> items) {
    piece_.append(reinterpret_cast<const char*>(items.data()), items.size_bytes());
    piece_.resize(Padded(piece_.size()));
    if (piece_.size() >= kWritten) Write();
  }
  // False if any of it could not be written; errno then says why.
  bool Finish() {
    Write();
    if (reason_ != 0) errno = reason_;
    return reason_ == 0;
  }
  uint64_t checksum() const { return XXH3_64bits_digest(checksum_.get()); }

 private:
  void Write() {
    XXH3_64bits_update(checksum_.get(), piece_.data(), piece_.size());
    if (reason_ == 0 && !WriteAll(fd_, piece_)) reason_ = errno;
    piece_.clear();
  }

  int fd_;
  int reason_ = 0;
  std::string piece_;
  std::unique_ptr<XXH3_state_t, decltype(&XXH3_freeState)> checksum_;
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

// Takes a text and its length from the front of `rest`; nothing if there is none.
std::optional<std::string> TakeText(std::string_view* rest) {
  uint32_t size = 0;
  if (rest->size() < sizeof size) return std::nullopt;
  size = LoadLittle<uint32_t>(rest->data());
  rest->remove_prefix(sizeof size);
  if (rest->size() < size) return std::nullopt;
  std::string text(rest->substr(0, size));
  rest->remove_prefix(size);
  return text;
}

std::optional<Meta> DecodedMeta(std::span<const std::byte> bytes) {
  std::string_view rest(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  Meta meta;
  while (!rest.empty()) {
    const auto key = TakeText(&rest);
    const auto value = TakeText(&rest);
    if (!key || !value) return std::nullopt;
    meta[*key] = *value;
  }
  return meta;
}

// Takes sections from the front of the file; each begins at a multiple of 8 bytes.
class Sections {
 public:
  explicit Sections(std::span<const std::byte> rest) : rest_(rest) {}

  // Nothing if there are not so many bytes.
  std::optional<std::span<const std::byte>> Take(uint64_t bytes) {
    if (bytes > rest_.size() || Padded(bytes) > rest_.size()) return std::nullopt;
    const auto section = rest_.first(bytes);
    rest_ = rest_.subspan(Padded(bytes));
    return section;
  }
  std::span<const std::byte> rest() const { return rest_; }

 private:
  std::span<const std::byte> rest_;
};

std::string_view Text(std::span<const std::byte> bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

template <class T>
std::span<const T> As(std::span<const std::byte> section) {
  return {reinterpret_cast<const T*>(section.data()), section.size() / sizeof(T)};
}

// The number of first bits of an id that name its group. A group has four to eight rows, whose ids are a
// cache line or two; with smaller ones the positions of the groups would be a tenth of the file.
unsigned GroupBits(size_t rows) { return std::max(4U, static_cast<unsigned>(std::bit_width(rows))) - 3; }

size_t GroupOf(uint64_t id, unsigned bits) { return id >> (64 - bits); }

std::vector<uint32_t> GroupBegins(std::span<const ImageFile::Row> rows) {
  const unsigned bits = GroupBits(rows.size());
  std::vector<uint32_t> begins((size_t{1} << bits) + 1);
  for (const auto& row : rows) ++begins[GroupOf(row.id, bits) + 1];
  for (size_t i = 1; i < begins.size(); ++i) begins[i] += begins[i - 1];
  return begins;
}

// Whether all of a file is in memory, so that no look at it needs the disk. Asks for one page of each
// kMappedTogether bytes, with which the kernel maps those around it that it has: half the time of asking for
// each.
bool IsInMemory(std::byte* mapped, size_t size) {
  for (size_t at = 0; at < size; at += kMappedTogether) {
    if (::madvise(mapped + at, 1, MADV_POPULATE_READ) != 0) return false;
  }
  const auto page = static_cast<size_t>(::sysconf(_SC_PAGESIZE));
  std::vector<unsigned char> present((size + page - 1) / page);
  return ::mincore(mapped, size, present.data()) == 0 &&
         std::ranges::all_of(present, [](unsigned char is) { return (is & 1U) != 0; });
}

std::span<const std::byte> MapWhole(const fs::path& path) {
  const int fd = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
  if (fd < 0) return {};
  struct stat status {};
  void* mapped = MAP_FAILED;  // NOLINT(*-cast): the macro's
  const bool is_file = ::fstat(fd, &status) == 0 && S_ISREG(status.st_mode);
  const auto size = is_file ? static_cast<size_t>(status.st_size) : 0;
  // Nobody writes into an image once it has its name. Shared pages are mapped faster than private ones.
  if (size > 0) mapped = ::mmap(nullptr, size, PROT_READ, MAP_SHARED, fd, 0);
  ::close(fd);
  if (mapped == MAP_FAILED) return {};  // NOLINT(*-cast): the macro's
  // Reads all of it. A disk that cannot read it would otherwise kill this process at its first look there. A
  // kernel before 5.14 does not know the advice and answers EINVAL.
  if (!IsInMemory(static_cast<std::byte*>(mapped), size) &&
      ::madvise(mapped, size, MADV_POPULATE_READ) != 0 && errno != EINVAL) {
    ::munmap(mapped, size);
    return {};
  }
  return {static_cast<const std::byte*>(mapped), size};
}

// After a failure, whose reason is in errno.
Result<void> GiveUp(const fs::path& unfinished) {
  const int reason = errno;
  ::unlink(unfinished.c_str());
  return tl::unexpected(SystemError(reason, fmt::format("cannot write {}", unfinished.string())));
}

}  // namespace

// Numbers are little-endian, as in memory; each section begins at a multiple of 8 bytes.
struct ImageFile::Header {
  std::array<char, 16> magic = kMagic;
  uint64_t checksum = 0;  // XXH3 of everything after it
  uint64_t applied_seq = 0;
  uint64_t row_bytes = 0;
  uint64_t rows = 0;
  uint64_t meta_bytes = 0;
  uint64_t globals_bytes = 0;

  static constexpr size_t kUnchecked = sizeof magic + sizeof checksum;
};

Result<void> ImageFile::Make(const fs::path& unfinished, const Content& content) {
  const std::string meta = EncodedMeta(content.meta);
  Header header;
  header.applied_seq = content.applied_seq;
  header.row_bytes = content.row_bytes;
  header.rows = content.rows.size();
  header.meta_bytes = meta.size();
  header.globals_bytes = content.globals.size();

  const auto write = [&](int fd) {
    const auto of_header = std::as_bytes(std::span(&header, 1));
    if (!WriteAll(fd, Text(of_header.first(Header::kUnchecked)))) return false;
    Pieces pieces(fd);
    pieces.Put(of_header.subspan(Header::kUnchecked));
    pieces.Put(std::span<const char>(meta));
    pieces.Put(content.globals);
    pieces.Put(std::span<const uint32_t>(GroupBegins(content.rows)));
    for (const Row& row : content.rows) pieces.Put(std::span(&row.id, 1));
    for (const Row& row : content.rows) pieces.Put(std::span(row.bytes, content.row_bytes));
    if (!pieces.Finish()) return false;
    header.checksum = pieces.checksum();
    return ::lseek(fd, 0, SEEK_SET) == 0 && WriteAll(fd, Text(of_header.first(Header::kUnchecked)));
  };
  const bool can_number = content.rows.size() < std::numeric_limits<uint32_t>::max();
  return can_number && WritePrivateFile(unfinished, write) ? Result<void>() : GiveUp(unfinished);
}

Result<void> ImageFile::Publish(const fs::path& path, const fs::path& unfinished) {
  return ::rename(unfinished.c_str(), path.c_str()) == 0 ? Result<void>() : GiveUp(unfinished);
}

std::optional<ImageFile> ImageFile::Open(const fs::path& path) {
  ImageFile image(MapWhole(path));
  if (!image.Read()) return std::nullopt;
  return image;
}

ImageFile::~ImageFile() {
  if (!mapped_.empty()) ::munmap(const_cast<std::byte*>(mapped_.data()), mapped_.size());  // NOLINT(*-cast)
}

ImageFile::ImageFile(ImageFile&& other) noexcept
    : mapped_(std::exchange(other.mapped_, {})),
      meta_(std::move(other.meta_)),
      globals_(other.globals_),
      begins_(other.begins_),
      ids_(other.ids_),
      rows_(other.rows_),
      group_bits_(other.group_bits_) {}

const ImageFile::Header& ImageFile::header() const {
  return *reinterpret_cast<const Header*>(mapped_.data());
}

uint64_t ImageFile::applied_seq() const { return header().applied_seq; }
uint64_t ImageFile::checksum() const { return header().checksum; }
size_t ImageFile::row_bytes() const { return header().row_bytes; }

// A right checksum shows that the disk did no damage. It does not show that thresher wrote the image: no
// number in it is used before it is known to be within the file.
bool ImageFile::Read() {
  if (mapped_.size() < sizeof(Header) || header().magic != kMagic) return false;
  if (WideChecksum(mapped_.subspan(Header::kUnchecked)) != header().checksum) return false;
  const uint64_t rows = header().rows;
  if (rows > mapped_.size() / sizeof(uint64_t) || rows >= std::numeric_limits<uint32_t>::max()) return false;
  const uint64_t row_bytes = header().row_bytes;
  if (row_bytes % sizeof(uint64_t) != 0) return false;

  Sections sections(mapped_.subspan(sizeof(Header)));
  const auto meta = sections.Take(header().meta_bytes);
  const auto globals = sections.Take(header().globals_bytes);
  const auto begins = sections.Take(((uint64_t{1} << GroupBits(rows)) + 1) * sizeof(uint32_t));
  const auto ids = sections.Take(rows * sizeof(uint64_t));
  if (!meta || !globals || !begins || !ids) return false;
  const size_t left = sections.rest().size();
  if (rows == 0 ? left != 0 : left % rows != 0 || left / rows != row_bytes) return false;
  auto texts = DecodedMeta(*meta);
  if (!texts) return false;
  meta_ = *std::move(texts);
  globals_ = *globals;
  begins_ = As<uint32_t>(*begins);
  ids_ = As<uint64_t>(*ids);
  rows_ = sections.rest().data();
  group_bits_ = GroupBits(rows);
  return begins_.front() == 0 && begins_.back() == rows && std::is_sorted(begins_.begin(), begins_.end());
}

// An id passes three stages, kFetchAhead ids apart: the place that says where its group begins is fetched,
// then the ids of the group, then its own is looked for among them and its row is fetched.
void ImageFile::Find(std::span<const uint64_t> ids, std::span<const std::byte*> rows) const {
  const size_t n = ids.size();
  for (size_t i = 0; i < n + 2 * kFetchAhead; ++i) {
    if (i < n) __builtin_prefetch(&begins_[GroupOf(ids[i], group_bits_)]);
    if (i >= kFetchAhead && i - kFetchAhead < n) {
      const auto* const group = ids_.data() + begins_[GroupOf(ids[i - kFetchAhead], group_bits_)];
      __builtin_prefetch(group);
      __builtin_prefetch(group + kIdsPerLine);
    }
    if (i >= 2 * kFetchAhead) {
      const std::byte* const row = Find(ids[i - 2 * kFetchAhead]);
      // Not null, where the processor would look for a page each time anew.
      __builtin_prefetch(row != nullptr ? row : rows_);
      rows[i - 2 * kFetchAhead] = row;
    }
  }
}

// Ids ascend, so the one looked for is behind those that are smaller. They are counted without a branch for
// each, which the processor could not foresee; a group rarely has more than kCounted.
const std::byte* ImageFile::Find(uint64_t id) const {
  size_t at = begins_[GroupOf(id, group_bits_)];
  for (; at + kCounted <= ids_.size(); at += kCounted) {
    size_t smaller = 0;
    for (size_t i = 0; i < kCounted; ++i) smaller += ids_[at + i] < id ? 1 : 0;
    if (smaller == kCounted) continue;
    at += smaller;
    return ids_[at] == id ? RowAt(at) : nullptr;
  }
  const auto found = std::find(ids_.begin() + static_cast<std::ptrdiff_t>(at), ids_.end(), id);
  return found == ids_.end() ? nullptr : RowAt(static_cast<size_t>(found - ids_.begin()));
}

}  // namespace thresher::storage
