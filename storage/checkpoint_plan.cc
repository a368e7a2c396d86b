#include "storage/checkpoint_plan.h"

#include <span>

#include "storage/resident_row.h"
#include "storage/sort_by_id.h"

namespace thresher::storage {

CheckpointPlan PlanCheckpoint(bool sweep, const std::function<bool(const std::byte*)>& is_live,
                              RowSlots* rows) {
  CheckpointPlan plan{.rows = rows};
  plan.items.reserve(rows->size());
  for (size_t slot = 0; slot < rows->size(); ++slot) {
    RowSlots::Entry& entry = (*rows)[slot];
    entry.state &= ~kPrunable;  // set by a checkpoint that failed
    const bool changed = (entry.state & kChanged) != 0;
    if (!changed && !sweep) continue;
    const bool live = is_live(entry.row());
    if (!changed && live) continue;
    if (!live) {
      entry.state |= kPrunable;
      ++plan.prunable;
    }
    plan.items.push_back({static_cast<uint32_t>(entry.id >> 32), static_cast<uint32_t>(slot)});
  }
  SortById(
      std::span(plan.items), [](const CheckpointPlan::Item& item) { return item.id_begin; },
      [&](const CheckpointPlan::Item& item) { return plan.EntryOf(item).id; });
  return plan;
}

}  // namespace thresher::storage
