// One checkpoint: what changed in the resident rows, as one atomic and durable write.
//
// Called by WeightTable. Thread-safety: one thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "storage/database_impl.h"
#include "storage/error.h"
#include "storage/publish_image.h"
#include "storage/row_slots.h"
#include "storage/text_arena.h"
#include "storage/weight_table.h"

namespace thresher::storage {

// What WeightTable::Checkpoint is to write besides the rows.
struct NewState {
  // If not null, the model was begun again: this and the rows replace all that is stored.
  const Meta* new_meta;
  // The rows are all there are: dead ones are looked for among the unchanged as well.
  bool complete;
  // Where they are not, the image of the last checkpoint.
  const ScoreImage* before;
  std::span<const std::byte> globals;
  uint64_t applied_seq;
  const RowTest& is_live;
  const RowTest& weighs;
};

// After a failure to write, the rows are as before; a failure to publish leaves them stored. REQUIRES: the
// rows are complete or there is an image.
Result<WeightTable::CheckpointCounts> WriteCheckpoint(Database::Impl& impl, const NewState& state,
                                                      RowSlots* rows, TextArena* texts);

}  // namespace thresher::storage
