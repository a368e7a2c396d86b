#include "storage/checkpoint_plan.h"

#include <algorithm>
#include <array>
#include <span>
#include <utility>

#include "storage/resident_row.h"

namespace thresher::storage {
namespace {

using Item = CheckpointPlan::Item;

// A bucket sort in place, as a second array would be a tenth of the memory of a large checkpoint: ids are
// hashes and spread evenly, so that after distribution by their first bits each bucket has few items to sort.
void SortById(std::span<Item> items) {
  constexpr unsigned kBits = 12;
  constexpr size_t kBuckets = size_t{1} << kBits;
  const auto bucket_of = [](const Item& item) { return item.id >> (64 - kBits); };
  std::array<size_t, kBuckets + 1> begins{};
  for (const Item& item : items) ++begins[bucket_of(item) + 1];
  for (size_t i = 1; i < begins.size(); ++i) begins[i] += begins[i - 1];
  std::array<size_t, kBuckets> next{};  // the first place of each bucket whose item may be of another one
  std::copy_n(begins.begin(), kBuckets, next.begin());
  for (size_t bucket = 0; bucket < kBuckets; ++bucket) {
    while (next[bucket] < begins[bucket + 1]) {
      Item& here = items[next[bucket]];
      const size_t its = bucket_of(here);
      // Each exchange brings an item to its bucket.
      if (its != bucket) std::swap(here, items[next[its]]);
      ++next[its];
    }
    std::ranges::sort(items.subspan(begins[bucket], begins[bucket + 1] - begins[bucket]), {}, &Item::id);
  }
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
  SortById(plan.items);
  return plan;
}

}  // namespace thresher::storage
