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
  const Meta*
      new_meta;   // if not null, the model was begun again: this and the rows replace all that is stored
  bool complete;  // the rows are all there are: dead ones are looked for among the unchanged as well
  std::span<const std::byte> globals;
  uint64_t applied_seq;
  const RowTest& is_live;
  const RowTest& weighs;
};

// After a failure the rows are as before. REQUIRES: the rows are complete or there is a CurrentImage.
Result<WeightTable::CheckpointCounts> WriteCheckpoint(Database::Impl& impl, const NewState& state,
                                                      RowSlots* rows, TextArena* texts);

}  // namespace thresher::storage
