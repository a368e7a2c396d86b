// The score image: the rows with a non-zero weight in one memory-mapped file, which is all that scoring
// needs.
//
// Used by the pipeline's Scorer: a process that classifies one message maps the image in a fraction of the
// time that it takes to open RocksDB. Each checkpoint replaces it by rename (publish_image.h). It is a copy:
// if it is missing or damaged, the database is used. FORMAT.md describes its content. Thread-safety:
// immutable.
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

class ScoreImage {
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

  // Replaces the image by one of `content`. If that fails, the old one stays.
  static Result<void> Publish(const std::filesystem::path& dir, const Content& content);
  // Removes the image: readers use the database from now on.
  static Result<void> Withdraw(const std::filesystem::path& dir);

  // The image of the model in `dir`; nothing if there is none or it is damaged.
  static std::optional<ScoreImage> Open(const std::filesystem::path& dir);
  ~ScoreImage();
  ScoreImage(ScoreImage&& other) noexcept;
  ScoreImage& operator=(ScoreImage&& other) = delete;

  const Meta& meta() const { return meta_; }
  std::span<const std::byte> globals() const { return globals_; }
  uint64_t applied_seq() const;
  size_t row_bytes() const;

  // (*rows)[i] is the row of ids[i]; null if its weight is zero or it has no row.
  void Find(std::span<const uint64_t> ids, std::vector<const std::byte*>* rows) const;

  size_t size() const { return ids_.size(); }
  Row operator[](size_t i) const { return {ids_[i], rows_ + i * row_bytes()}; }  // ids ascending

 private:
  struct Header;

  explicit ScoreImage(std::span<const std::byte> mapped) : mapped_(mapped) {}
  const Header& header() const;
  bool Read();

  std::span<const std::byte> mapped_;
  Meta meta_;
  std::span<const std::byte> globals_;
  std::span<const uint32_t> begins_;  // where the rows begin whose ids have the same first bits
  std::span<const uint64_t> ids_;
  const std::byte* rows_ = nullptr;
};

}  // namespace thresher::storage
