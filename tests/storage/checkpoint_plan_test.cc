// A checkpoint's plan has each changed row once, in the order of ids, however these are spread.
#include "storage/checkpoint_plan.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <vector>

#include "storage/resident_row.h"

namespace thresher::storage {
namespace {

std::vector<uint64_t> PlannedIds(const std::vector<uint64_t>& ids) {
  RowSlots rows(sizeof(uint64_t));
  rows.Reserve(2 * ids.size());
  for (const uint64_t id : ids) {
    rows.Insert(id, kChanged);
    rows.Insert(id ^ 1U, kStored);  // unchanged
  }
  const CheckpointPlan plan = PlanCheckpoint(
      false, [](const std::byte*) { return true; }, &rows);
  std::vector<uint64_t> planned;
  for (const CheckpointPlan::Item& item : plan.items) {
    const uint64_t id = plan.EntryOf(item).id;
    EXPECT_EQ(item.id_begin, id >> 32);
    planned.push_back(id);
  }
  return planned;
}

TEST(CheckpointPlanTest, HasIdsInOrder) {
  std::mt19937_64 random(1);
  for (const unsigned shift : {0U, 3U, 30U, 52U, 60U}) {  // from even to all in the first or last buckets
    for (const size_t size : {0U, 1U, 2U, 100U, 20000U}) {
      std::vector<uint64_t> ids(size);
      for (size_t i = 0; i < size; ++i)
        ids[i] = ((random() >> shift) ^ (i % 2 == 0 ? 0 : ~uint64_t{0})) & ~uint64_t{1};
      std::ranges::sort(ids);
      ids.erase(std::unique(ids.begin(), ids.end()), ids.end());
      std::vector<uint64_t> shuffled = ids;
      std::ranges::shuffle(shuffled, random);
      EXPECT_EQ(PlannedIds(shuffled), ids) << shift << " " << size;
    }
  }
}

}  // namespace
}  // namespace thresher::storage
