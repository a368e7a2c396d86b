// Writes one checkpoint: the changed rows in memory, as one atomic and durable write.
//
// Called by WeightTable. Thread-safety: one thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include "storage/database_impl.h"
#include "storage/error.h"
#include "storage/publish_image.h"
#include "storage/row_slots.h"
#include "storage/text_arena.h"
#include "storage/weight_table.h"

namespace thresher::storage {

// What WeightTable::Checkpoint writes besides the rows.
struct NewState {
  // Set after WeightTable::StartOver: these texts and the rows replace everything that is stored. Empty when
  // they have.
  std::optional<Meta>* new_meta;
  // All rows of the model are in memory: the unchanged ones are searched for prunable rows as well.
  bool complete;
  // The image of the last checkpoint if the rows are not complete; forgotten afterwards.
  const ScoreImage* before;
  std::span<const std::byte> globals;
  uint64_t applied_seq;
  const RowTest& is_live;
  const RowTest& has_weight;
};

// If the write fails, the rows are as before. If only the image cannot be published, the rows are stored.
// REQUIRES: the rows are complete or there is an image.
Result<WeightTable::CheckpointCounts> WriteCheckpoint(DatabaseImpl& impl, const NewState& state,
                                                      RowSlots* rows, TextArena* texts);

}  // namespace thresher::storage
