// One checkpoint: what changed in the resident rows, as one atomic and durable write.
//
// Called by WeightTable. Thread-safety: one thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>

#include "storage/database_impl.h"
#include "storage/error.h"
#include "storage/row_slots.h"
#include "storage/text_arena.h"
#include "storage/weight_table.h"

namespace thresher::storage {

// As WeightTable::Checkpoint. If `new_meta` is not null, the model was begun again: it and the rows replace
// all that is stored. `sweep`: looks for dead rows among the unchanged as well. After a failure the rows are
// as before.
Result<WeightTable::CheckpointCounts> WriteCheckpoint(Database::Impl& impl, const Meta* new_meta, bool sweep,
                                                      std::span<const std::byte> globals,
                                                      uint64_t applied_seq,
                                                      const std::function<bool(const std::byte*)>& is_live,
                                                      RowSlots* rows, TextArena* texts);

}  // namespace thresher::storage
