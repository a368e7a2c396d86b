// The rows that a checkpoint writes or removes, sorted by id: RocksDB is fastest with sorted keys, and its
// table files accept no others.
//
// Used by checkpoint.cc and publish_image.h. Thread-safety: made by one thread, then read-only.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

#include "storage/row_slots.h"

namespace thresher::storage {

struct CheckpointPlan {
  // Of 8 bytes, as there may be one for each row in memory.
  struct Item {
    uint32_t id_begin;  // the first 32 bits of the row's id, to sort faster
    uint32_t slot;      // of the row
  };

  RowSlots* rows;
  std::vector<Item> items = {};  // rows to write, and rows to remove, which are marked kPrunable
  size_t prunable = 0;           // how many are to be removed

  RowSlots::Entry& EntryOf(const Item& item) const { return (*rows)[item.slot]; }
};

// Plans for the changed rows and, if `sweep`, for prunable rows among the unchanged as well. The plan is
// valid until rows move.
CheckpointPlan PlanCheckpoint(bool sweep, const std::function<bool(const std::byte*)>& is_live,
                              RowSlots* rows);

}  // namespace thresher::storage
