// What a checkpoint has to do, in the order of ids: RocksDB takes sorted keys fastest, its files no others.
//
// Made and carried out in checkpoint.cc. Thread-safety: making it, one thread; then read-only.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

#include "storage/row_slots.h"

namespace thresher::storage {

struct CheckpointPlan {
  struct Item {
    uint64_t id;  // the entry's, at hand for sorting
    RowSlots::Entry* entry;
  };

  std::vector<Item> items;  // rows to be written, and dead ones, marked kDead
  size_t dead = 0;          // of them
};

// Of the changed rows; if `sweep`, dead ones are looked for among the others as well. Valid until rows move.
CheckpointPlan PlanCheckpoint(bool sweep, const std::function<bool(const std::byte*)>& is_live,
                              RowSlots* rows);

}  // namespace thresher::storage
