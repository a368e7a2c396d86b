#include "storage/image_file.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cerrno>
#include <cstring>
#include <limits>
#include <string>
#include <utility>

#include "storage/byte_match.h"
#include "storage/byte_order.h"
#include "storage/descriptor.h"
#include "storage/image_layout.h"
#include "storage/wide_checksum.h"

namespace thresher::storage {
namespace {

namespace fs = std::filesystem;

constexpr size_t kFoundTogether = 32;          // ids
constexpr size_t kMappedTogether = 64U << 10;  // bytes around a page that the kernel maps with it

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
    if (bytes > rest_.size() || PaddedSection(bytes) > rest_.size()) return std::nullopt;
    const auto section = rest_.first(bytes);
    rest_ = rest_.subspan(PaddedSection(bytes));
    return section;
  }
  std::span<const std::byte> rest() const { return rest_; }

 private:
  std::span<const std::byte> rest_;
};

template <class T>
std::span<const T> As(std::span<const std::byte> section) {
  return {reinterpret_cast<const T*>(section.data()), section.size() / sizeof(T)};
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
  Descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK));
  if (!file.is_open()) return {};
  struct stat status {};
  void* mapped = MAP_FAILED;  // NOLINT(*-cast): the macro's
  const bool is_file = ::fstat(file.number(), &status) == 0 && S_ISREG(status.st_mode);
  const auto size = is_file ? static_cast<size_t>(status.st_size) : 0;
  // Nobody writes into an image once it has its name. Shared pages are mapped faster than private ones.
  if (size > 0) mapped = ::mmap(nullptr, size, PROT_READ, MAP_SHARED, file.number(), 0);
  file.Close();
  if (mapped == MAP_FAILED) return {};  // NOLINT(*-cast): the macro's
  // Reads all of it. A disk that cannot read it would otherwise kill this process at its first look there. A
  // kernel before 5.14 does not know the advice and answers EINVAL.
  const bool may_ask = status.st_uid == ::geteuid();  // the kernel tells everybody else that all is there
  if (!(may_ask && IsInMemory(static_cast<std::byte*>(mapped), size)) &&
      ::madvise(mapped, size, MADV_POPULATE_READ) != 0 && errno != EINVAL) {
    ::munmap(mapped, size);
    return {};
  }
  return {static_cast<const std::byte*>(mapped), size};
}

}  // namespace

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
      group_bits_(other.group_bits_),
      begins_(other.begins_),
      tags_(other.tags_),
      entries_(other.entries_),
      distinct_(other.distinct_) {}

const ImageHeader& ImageFile::header() const { return *reinterpret_cast<const ImageHeader*>(mapped_.data()); }

uint64_t ImageFile::applied_seq() const { return header().applied_seq; }
uint64_t ImageFile::checksum() const { return header().checksum; }
size_t ImageFile::row_bytes() const { return header().row_bytes; }

// A right checksum shows that the disk did no damage. It does not show that thresher wrote the image: no
// number in it is used before it is known to be within the file.
bool ImageFile::Read() {
  if (mapped_.size() < sizeof(ImageHeader) || header().magic != kImageMagic) return false;
  if (WideChecksum(mapped_.subspan(ImageHeader::kUnchecked)) != header().checksum) return false;
  const uint64_t rows = header().rows;
  if (rows > mapped_.size() / sizeof(uint64_t) || rows >= std::numeric_limits<uint32_t>::max()) return false;
  const uint64_t row_bytes = header().row_bytes;
  if (row_bytes % sizeof(uint64_t) != 0) return false;

  Sections sections(mapped_.subspan(sizeof(ImageHeader)));
  const auto meta = sections.Take(header().meta_bytes);
  const auto globals = sections.Take(header().globals_bytes);
  const auto begins = sections.Take(((uint64_t{1} << GroupBits(rows)) + 1) * sizeof(uint32_t));
  const auto tags = sections.Take(rows);
  const auto entries = sections.Take(rows * kEntryBytes);
  if (!meta || !globals || !begins || !tags || !entries) return false;
  const uint64_t distinct = header().distinct_rows;
  const size_t left = sections.rest().size();
  if (distinct == 0 ? rows != 0 || left != 0 : left % distinct != 0 || left / distinct != row_bytes)
    return false;
  auto texts = DecodedMeta(*meta);
  if (!texts) return false;
  meta_ = *std::move(texts);
  globals_ = *globals;
  group_bits_ = GroupBits(rows);
  begins_ = As<uint32_t>(*begins);
  tags_ = As<uint8_t>(*tags);
  entries_ = entries->data();
  distinct_ = sections.rest().data();
  return begins_.front() == 0 && begins_.back() == rows && std::is_sorted(begins_.begin(), begins_.end());
}

// A group's place and tags, which are small enough for the processor's caches, mostly show that an id is
// absent; only of what may be there are the entry and then the row looked at. What all ids need in one step
// is fetched in the step before. Whether an id is there decides no branch, as the processor cannot foresee
// it.
void ImageFile::Find(std::span<const uint64_t> ids, std::span<const std::byte*> rows) const {
  if (tags_.empty()) {
    std::ranges::fill(rows, nullptr);
    return;
  }
  std::array<Candidate, kFoundTogether> found{};
  while (!ids.empty()) {
    const size_t n = std::min(ids.size(), kFoundTogether);
    for (size_t i = 0; i < n; ++i) __builtin_prefetch(&begins_[GroupOf(ids[i])]);
    for (size_t i = 0; i < n; ++i) __builtin_prefetch(tags_.data() + begins_[GroupOf(ids[i])]);
    for (size_t i = 0; i < n; ++i) {
      found[i] = FirstAlike(ids[i]);
      __builtin_prefetch(EntryAt(found[i].number));
    }
    uint32_t others = 0;  // bits of the ids that another row is like
    for (size_t i = 0; i < n; ++i) {
      const auto [number, is_alike] = found[i];
      const bool has_end = EndAt(number) == EndOfId(ids[i]);
      const std::array<const std::byte*, 2> absent_or_found = {nullptr, RowAt(number)};
      rows[i] = absent_or_found[static_cast<size_t>(is_alike & has_end)];
      __builtin_prefetch(absent_or_found[1]);
      others |= static_cast<uint32_t>(is_alike & !has_end) << i;
    }
    for (; others != 0; others &= others - 1) {
      const auto i = static_cast<size_t>(std::countr_zero(others));
      rows[i] = Find(ids[i]);
    }
    ids = ids.subspan(n);
    rows = rows.subspan(n);
  }
}

const std::byte* ImageFile::Find(uint64_t id) const {
  const size_t group = GroupOf(id);
  const uint8_t tag = TagOf(id);
  const size_t end = begins_[group + 1];
  for (size_t i = NextAlike(begins_[group], group, tag); i < end; i = NextAlike(i + 1, group, tag)) {
    if (EndAt(i) == EndOfId(id)) return RowAt(i);
  }
  return nullptr;
}

std::vector<ImageFile::Row> ImageFile::Rows() const {
  std::vector<Row> rows;
  rows.reserve(size());
  for (size_t group = 0; group + 1 < begins_.size(); ++group) {
    for (size_t i = begins_[group]; i < begins_[group + 1]; ++i) rows.push_back({IdAt(i, group), RowAt(i)});
  }
  return rows;
}

const std::byte* ImageFile::EntryAt(size_t i) const { return entries_ + kEntryBytes * i; }
size_t ImageFile::GroupOf(uint64_t id) const { return GroupOfId(id, group_bits_); }
uint8_t ImageFile::TagOf(uint64_t id) const { return TagOfId(id, group_bits_); }

// A number beyond the rows, which thresher does not write, is that of the last one.
const std::byte* ImageFile::RowAt(size_t i) const {
  uint32_t number = 0;
  std::memcpy(&number, EntryAt(i) + kEndBytes, sizeof number);
  return distinct_ + std::min<uint64_t>(number, header().distinct_rows - 1) * row_bytes();
}

// An entry has more bytes behind its end.
uint64_t ImageFile::EndAt(size_t i) const {
  uint64_t end = 0;
  std::memcpy(&end, EntryAt(i), sizeof end);
  return EndOfId(end);
}

uint64_t ImageFile::IdAt(size_t i, size_t group) const {
  const uint64_t begin = (uint64_t{group} << kTagBits | tags_[i]) << (kIdBits - group_bits_ - kTagBits);
  return begin >> kEndBits << kEndBits | EndAt(i);
}

// The sixteen bytes may reach into the section that follows, which has as many.
size_t ImageFile::NextAlike(size_t i, size_t group, uint8_t tag) const {
  const size_t end = begins_[group + 1];
  for (; i < end; i += kBytesMatched) {
    const uint32_t alike = MatchBytes(&tags_[i], tag);
    if (alike != 0) return std::min(end, i + FirstMatch(alike));
  }
  return end;
}

// Hardly any group has more than sixteen rows.
ImageFile::Candidate ImageFile::FirstAlike(uint64_t id) const {
  const size_t group = GroupOf(id);
  const size_t begin = begins_[group];
  const size_t end = begins_[group + 1];
  const uint32_t alike = MatchBytes(tags_.data() + begin, TagOf(id));
  size_t number = begin + FirstMatch(alike);
  bool is_alike = (alike != 0) & (number < end);
  if (end - begin > kBytesMatched) [[unlikely]] {
    number = NextAlike(begin, group, TagOf(id));
    is_alike = number < end;
  }
  return {number * static_cast<size_t>(is_alike), is_alike};
}

}  // namespace thresher::storage
