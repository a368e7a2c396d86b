#include "storage/checkpoint_plan.h"

#include <span>

#include "storage/resident_row.h"
#include "storage/sort_by_id.h"

namespace thresher::storage {

CheckpointPlan PlanCheckpoint(bool sweep, const std::function<bool(const std::byte*)>& is_live,
                              RowSlots* rows) {
  CheckpointPlan plan;
  plan.items.reserve(rows->size());
  rows->ForEach([&](RowSlots::Entry& entry) {
    entry.state &= ~kPrunable;  // set by a checkpoint that failed
    const bool changed = (entry.state & kChanged) != 0;
    if (!changed && !sweep) return;
    const bool live = is_live(entry.row());
    if (!changed && live) return;
    if (!live) {
      entry.state |= kPrunable;
      ++plan.prunable;
    }
    plan.items.push_back({entry.id, &entry});
  });
  SortById(std::span(plan.items));
  return plan;
}

}  // namespace thresher::storage
