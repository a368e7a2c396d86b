// The score image beside the database, row by row.
//
// Used by CheckModel. Thread-safety: one thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "pipeline/model_check.h"
#include "storage/database.h"
#include "storage/score_image.h"

namespace thresher::pipeline {

class ImageComparison {
 public:
  struct Source {
    bool is_there = false;                     // a file
    std::optional<storage::ScoreImage> image;  // nothing if that is damaged
  };
  // To be called before the database is opened: else a writer may put a later one in place.
  static Source Open(const std::filesystem::path& dir);

  // `globals` and `applied_seq` are the database's.
  ImageComparison(const Source& source, const storage::Database& database, std::span<const std::byte> globals,
                  uint64_t applied_seq);

  // To be called for every row that weighs, ids ascending.
  void Add(uint64_t id, std::string_view row);

  // What it is, and what is wrong with it.
  std::pair<ImageState, std::optional<std::string>> Finish() const;
  uint64_t rows() const { return image_ == nullptr ? 0 : image_->size(); }

 private:
  bool Matches(uint64_t id, std::string_view row) const;

  const storage::ScoreImage* image_;
  std::optional<std::string> wrong_;
  ImageState state_ = ImageState::kEqual;
  size_t next_ = 0;  // row of the image
};

}  // namespace thresher::pipeline
