#include "pipeline/check/image_comparison.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <system_error>

#include "storage/store_directory.h"

namespace thresher::pipeline {

ImageComparison::Source ImageComparison::Open(const std::filesystem::path& dir) {
  std::error_code ignored;
  return {std::filesystem::exists(storage::ImagePath(dir), ignored), storage::ScoreImage::Open(dir)};
}

ImageComparison::ImageComparison(const Source& source, const storage::Database& database,
                                 std::span<const std::byte> globals, uint64_t applied_seq, size_t row_bytes,
                                 const std::function<bool(const std::byte*)>& has_weight)
    : image_(source.image ? &*source.image : nullptr) {
  if (image_ == nullptr) {
    state_ = source.is_there ? ImageState::kDamaged : ImageState::kNone;
  } else if (image_->applied_seq() > applied_seq) {
    state_ = ImageState::kWrong;
    wrong_ = fmt::format(
        "the score image is of example {}, the database of example {}: the database has lost the examples "
        "between them",
        image_->applied_seq(), applied_seq);
  } else if (image_->applied_seq() < applied_seq || image_->meta() != database.meta() ||
             !std::ranges::equal(image_->globals(), globals)) {
    state_ = ImageState::kEarlier;
  } else if (image_->row_bytes() != row_bytes) {
    state_ = ImageState::kWrong;
    wrong_ = fmt::format("the score image has rows of {} bytes, the learner of {}", image_->row_bytes(),
                         row_bytes);
  } else {
    rows_ = image_->Rows();
    std::erase_if(rows_, [&](const auto& row) { return !has_weight(row.bytes); });
  }
}

bool ImageComparison::Matches(uint64_t id, std::string_view row) const {
  return next_ < rows_.size() && rows_[next_].id == id && row.size() == image_->row_bytes() &&
         std::memcmp(rows_[next_].bytes, row.data(), row.size()) == 0;
}

void ImageComparison::Add(uint64_t id, std::string_view row) {
  if (state_ != ImageState::kEqual || wrong_) return;
  if (Matches(id, row)) {
    ++next_;
  } else {
    wrong_ = fmt::format("the score image and the database have different rows of feature {:016x}", id);
  }
}

std::pair<ImageState, std::optional<std::string>> ImageComparison::Finish() const {
  if (wrong_) return {ImageState::kWrong, wrong_};
  if (state_ == ImageState::kEqual && next_ < rows_.size())
    return {ImageState::kWrong,
            fmt::format("the score image has {} rows, the database {} with non-zero weight", rows_.size(),
                        next_)};
  return {state_, std::nullopt};
}

}  // namespace thresher::pipeline
