// Makes the score image of a checkpoint: from all rows if they are in memory, otherwise from the last image
// and the rows that changed since.
//
// Called by checkpoint.cc, before and after a checkpoint is written, by DatabaseImpl for the present image,
// and by backup.cc. Thread-safety: one thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "storage/checkpoint_plan.h"
#include "storage/database_impl.h"
#include "storage/row_slots.h"
#include "storage/score_image.h"
#include "storage/weight_table.h"

namespace thresher::storage {

using RowTest = WeightTable::RowTest;

// The image of the model's last checkpoint; nothing if there is no image or it is of another checkpoint.
std::optional<ScoreImage> CurrentImage(const DatabaseImpl& impl);

// What an image has besides rows.
struct ImageState {
  std::span<const std::byte> globals;
  uint64_t applied_seq;
  const RowTest& has_weight;
};

// Makes the files of an image of all rows. May be called in another thread while a checkpoint is written.
// `meta`: as of that checkpoint. REQUIRES: `rows` has all rows of the model.
Result<void> MakeImage(const DatabaseImpl& impl, const Meta& meta, const ImageState& state,
                       const RowSlots& rows);
// Puts the image that was made in place. If it was not made, or that fails, removes the present image, as it
// is of an earlier checkpoint: readers are then slower, but not wrong. An error if that fails as well.
Result<void> PublishImage(const DatabaseImpl& impl, const Result<void>& made);
// The same for the image that follows from `before`, the image of the last checkpoint, and `plan`, what
// changed since.
Result<void> PublishImage(const DatabaseImpl& impl, const ImageState& state, const ScoreImage& before,
                          const CheckpointPlan& plan, size_t row_bytes);

}  // namespace thresher::storage
