// One file of the score image (score_image.h): rows in the order of their ids, and what belongs to them,
// mapped into memory. FORMAT.md describes its content.
//
// Used by ScoreImage. Thread-safety: immutable.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "storage/database.h"
#include "storage/error.h"

namespace thresher::storage {

struct ImageHeader;  // image_layout.h

class ImageFile {
 public:
  struct Row {
    uint64_t id;
    const std::byte* bytes;
  };
  struct Content {
    const Meta& meta;
    std::span<const std::byte> globals;
    uint64_t applied_seq;
    size_t row_bytes;           // a multiple of 8
    std::span<const Row> rows;  // ids ascending
  };

  // Makes a file of `content` at `unfinished`, which Publish gives its name.
  static Result<void> Make(const std::filesystem::path& unfinished, const Content& content);
  // Replaces the file `path` by the one at `unfinished`. If that fails, the old one stays.
  static Result<void> Publish(const std::filesystem::path& path, const std::filesystem::path& unfinished);

  // Nothing if there is no such file or it is damaged.
  static std::optional<ImageFile> Open(const std::filesystem::path& path);
  ~ImageFile();
  ImageFile(ImageFile&& other) noexcept;
  ImageFile& operator=(ImageFile&& other) = delete;

  const Meta& meta() const { return meta_; }
  std::span<const std::byte> globals() const { return globals_; }
  uint64_t applied_seq() const;
  uint64_t checksum() const;  // of its bytes
  size_t row_bytes() const;

  // Null if the file has no row of this id.
  const std::byte* Find(uint64_t id) const;
  // The same for many: rows[i] becomes the row of ids[i]. Fetches those ahead meanwhile. REQUIRES: both have
  // the same size.
  void Find(std::span<const uint64_t> ids, std::span<const std::byte*> rows) const;

  size_t size() const { return tags_.size(); }
  std::vector<Row> Rows() const;  // ids ascending

 private:
  explicit ImageFile(std::span<const std::byte> mapped) : mapped_(mapped) {}
  const ImageHeader& header() const;
  bool Read();
  const std::byte* EntryAt(size_t i) const;
  const std::byte* RowAt(size_t i) const;
  size_t GroupOf(uint64_t id) const;
  uint8_t TagOf(uint64_t id) const;
  uint64_t EndAt(size_t i) const;  // the last bits of the id
  uint64_t IdAt(size_t i, size_t group) const;
  // The first number from `i` on of a row in the group that has the tag; if there is none, where it ends.
  size_t NextAlike(size_t i, size_t group, uint8_t tag) const;
  struct Candidate {
    size_t number;  // of a row; 0 if there is none
    bool is_alike;  // it is in the group of the id, with its tag
  };
  Candidate FirstAlike(uint64_t id) const;

  std::span<const std::byte> mapped_;
  Meta meta_;
  std::span<const std::byte> globals_;
  unsigned group_bits_ = 0;
  std::span<const uint32_t> begins_;  // where the rows begin whose ids have the same first bits, a group
  std::span<const uint8_t> tags_;     // the bits of the ids that follow these
  const std::byte* entries_ = nullptr;
  const std::byte* distinct_ = nullptr;  // rows, each once
};

}  // namespace thresher::storage
