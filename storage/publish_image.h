// The score image of a checkpoint: made of all rows where they are in memory, else of the last image and what
// changed since.
//
// Called around a checkpoint's write. Thread-safety: one thread.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "storage/checkpoint_plan.h"
#include "storage/database_impl.h"
#include "storage/row_slots.h"
#include "storage/score_image.h"
#include "storage/weight_table.h"

namespace thresher::storage {

using RowTest = WeightTable::RowTest;

// The image of the checkpoint that the model is at; nothing if there is none, or one of another checkpoint.
std::optional<ScoreImage> CurrentImage(const Database::Impl& impl);

// The rows that weigh, ids ascending. `rows` is all there are.
std::vector<ScoreImage::Row> WeighingRows(const RowSlots& rows, const RowTest& weighs);
// … `before`, the image of the last checkpoint, is all there were, and `plan` what changed.
std::vector<ScoreImage::Row> WeighingRows(const ScoreImage& before, const CheckpointPlan& plan,
                                          const RowTest& weighs);

// Puts the image in place. If that fails the one that is there goes, as it is of an earlier checkpoint:
// readers are slower then, not wrong. An error if that fails as well.
Result<void> PublishImage(const Database::Impl& impl, const ScoreImage::Content& content);

}  // namespace thresher::storage
