// The score image: the rows with a non-zero weight, mapped into memory, which is all that scoring needs.
//
// Used by the pipeline's Scorer: a process that classifies one message maps the image in a fraction of the
// time that it takes to open RocksDB. Each checkpoint publishes the next one (publish_image.h). It consists
// of a file with all rows, and one with those that changed since, so that who teaches one message does not
// write all rows. It is a copy: if it is missing or damaged, the database is used. FORMAT.md describes its
// content. Thread-safety: immutable.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <vector>

#include "storage/database.h"
#include "storage/error.h"
#include "storage/image_file.h"

namespace thresher::storage {

class ScoreImage {
 public:
  using Row = ImageFile::Row;
  using Content = ImageFile::Content;

  // Makes the files of an image, which Publish puts in place.
  static Result<void> Make(const std::filesystem::path& dir, const Content& content);
  // Replaces the image by the one that was made last. If that fails, the old one stays.
  static Result<void> Publish(const std::filesystem::path& dir);
  // Both.
  static Result<void> Publish(const std::filesystem::path& dir, const Content& content);
  // Replaces the image by `before` with other rows, globals and number: content.rows are all rows in which it
  // differs from before.base(); a row that is all zero removes one. REQUIRES: `before` is the image, and
  // content.meta its meta.
  static Result<void> PublishChanges(const std::filesystem::path& dir, const ScoreImage& before,
                                     const Content& content);
  // Removes the image: readers use the database from now on.
  static Result<void> Withdraw(const std::filesystem::path& dir);

  // The image of the model in `dir`; nothing if there is none or it is damaged.
  static std::optional<ScoreImage> Open(const std::filesystem::path& dir);

  const Meta& meta() const { return base_.meta(); }
  std::span<const std::byte> globals() const { return newest().globals(); }
  uint64_t applied_seq() const { return newest().applied_seq(); }
  size_t row_bytes() const { return base_.row_bytes(); }

  // (*rows)[i] is the row of ids[i]; null if the image has none. A row may have lost its weight since it was
  // written.
  void Find(std::span<const uint64_t> ids, std::vector<const std::byte*>* rows) const;
  // All rows, ids ascending.
  std::vector<Row> Rows() const;

  // The file with all rows, and the one with changes; null if there are none.
  const ImageFile& base() const { return base_; }
  const ImageFile* changes() const { return changes_ ? &*changes_ : nullptr; }

 private:
  ScoreImage(ImageFile base, std::optional<ImageFile> changes)
      : base_(std::move(base)), changes_(std::move(changes)) {}
  const ImageFile& newest() const { return changes_ ? *changes_ : base_; }
  // Null if the row is all zero.
  const std::byte* Unless0(const std::byte* row) const;

  ImageFile base_;
  std::optional<ImageFile> changes_;
};

}  // namespace thresher::storage
