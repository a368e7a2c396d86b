// Compares the score image with the database, row by row.
//
// Called by CheckModel. Thread-safety: one thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "pipeline/check/model_check.h"
#include "storage/database.h"
#include "storage/score_image.h"

namespace thresher::pipeline {

class ImageComparison {
 public:
  struct Source {
    bool is_there = false;                     // the file exists
    std::optional<storage::ScoreImage> image;  // nothing if the file is damaged
  };
  // Call it before the database is opened: otherwise a writer may replace the image by a later one.
  static Source Open(const std::filesystem::path& dir);

  // `globals` and `applied_seq` are those of the database, whose rows have `row_bytes` bytes. Rows of the
  // image for which has_weight is false count for nothing: they have lost their weight since they were
  // written.
  ImageComparison(const Source& source, const storage::Database& database, std::span<const std::byte> globals,
                  uint64_t applied_seq, size_t row_bytes,
                  const std::function<bool(const std::byte*)>& has_weight);

  // Call it for every row with non-zero weight, ids ascending.
  void Add(uint64_t id, std::string_view row);

  // The state of the image, and what is wrong with it.
  std::pair<ImageState, std::optional<std::string>> Finish() const;

 private:
  bool Matches(uint64_t id, std::string_view row) const;

  const storage::ScoreImage* image_;
  std::vector<storage::ScoreImage::Row> rows_;
  std::optional<std::string> wrong_;
  ImageState state_ = ImageState::kEqual;
  size_t next_ = 0;  // row of the image
};

}  // namespace thresher::pipeline
