#include "storage/checkpoint_plan.h"

#include <algorithm>
#include <array>

#include "storage/resident_row.h"

namespace thresher::storage {
namespace {

using Item = CheckpointPlan::Item;

// A bucket sort: ids are hashes and spread evenly, so that after distribution by their first bits each bucket
// has few items to sort.
void SortById(std::vector<Item>* items) {
  constexpr unsigned kBits = 12;
  std::array<size_t, (size_t{1} << kBits) + 1> ends{};
  const auto first_bits = [](const Item& item) { return item.id >> (64 - kBits); };
  for (const Item& item : *items) ++ends[first_bits(item) + 1];
  for (size_t i = 1; i < ends.size(); ++i) ends[i] += ends[i - 1];  // so far the beginnings of the buckets
  std::vector<Item> dealt(items->size());
  for (const Item& item : *items) dealt[ends[first_bits(item)]++] = item;
  for (size_t i = 0, begin = 0; i + 1 < ends.size(); begin = ends[i++]) {
    std::sort(dealt.begin() + static_cast<std::ptrdiff_t>(begin),
              dealt.begin() + static_cast<std::ptrdiff_t>(ends[i]),
              [](const Item& a, const Item& b) { return a.id < b.id; });
  }
  items->swap(dealt);
}

}  // namespace

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
  SortById(&plan.items);
  return plan;
}

}  // namespace thresher::storage
