#include "storage/row_slots.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <cstring>
#include <fstream>
#include <random>
#include <string>
#include <unordered_map>

namespace thresher::storage {
namespace {

constexpr uint64_t kHome = 0x9E3779B97F4A7C15U;

// The id whose hash is `hash`: small hashes share the first slot, large ones the last, from which probing
// wraps around.
uint64_t WithHash(uint64_t hash) {
  uint64_t inverse = kHome;  // Newton's iteration for the inverse modulo 2⁶⁴
  for (int step = 0; step < 6; ++step) inverse *= 2 - kHome * inverse;
  return inverse * hash;
}

using Twin = std::unordered_map<uint64_t, uint64_t>;

void CheckAgainst(const Twin& twin, const RowSlots& slots) {
  ASSERT_EQ(slots.size(), twin.size());
  for (const auto& [id, value] : twin) {
    const size_t slot = slots.Find(id);
    ASSERT_NE(slot, RowSlots::kNone);
    EXPECT_EQ(slots[slot].id, id);
    EXPECT_EQ(std::memcmp(slots[slot].row() + slots.row_bytes() - sizeof value, &value, sizeof value), 0);
  }
  size_t visits = 0;
  slots.ForEach([&](const RowSlots::Entry& entry) { visits += twin.count(entry.id); });
  EXPECT_EQ(visits, twin.size());
}

// Inserts the ids, then removes and inserts some of them again, several times.
void CheckAgainstTwin(size_t row_bytes, const std::vector<uint64_t>& ids) {
  RowSlots slots(row_bytes);
  Twin twin;
  const auto insert = [&] {
    for (const uint64_t id : ids) {
      if (twin.contains(id)) continue;
      ASSERT_EQ(slots.Find(id), RowSlots::kNone);
      slots.Reserve(1);
      const size_t slot = slots.Insert(id, 1);
      for (size_t i = 0; i < row_bytes; ++i) ASSERT_EQ(slots[slot].row()[i], std::byte{0});
      const uint64_t value = id * 3;
      std::memcpy(slots[slot].row() + row_bytes - sizeof value, &value, sizeof value);
      twin.emplace(id, value);
    }
  };
  for (const uint64_t parts : {1U, 7U, 2U}) {
    insert();
    CheckAgainst(twin, slots);
    const auto is_gone = [parts](uint64_t id) { return id / 16 % parts == 0; };
    slots.RemoveIf([&](const RowSlots::Entry& entry) { return is_gone(entry.id); });
    std::erase_if(twin, [&](const auto& entry) { return is_gone(entry.first); });
    CheckAgainst(twin, slots);
  }
}

TEST(RowSlotsTest, AgreesWithAMap) {
  for (const size_t row_bytes : {8U, 16U, 24U, 40U, 128U}) {
    std::mt19937_64 random(row_bytes);
    std::vector<uint64_t> ids{0, 1, ~uint64_t{0}};
    for (int i = 0; i < 30000; ++i) ids.push_back(random() % 3 == 0 ? random() % 100 : random());
    CheckAgainstTwin(row_bytes, ids);
  }
}

TEST(RowSlotsTest, AgreesWithAMapWhenIdsCollide) {
  std::vector<uint64_t> first;
  std::vector<uint64_t> last;
  std::vector<uint64_t> both;
  for (uint64_t i = 0; i < 1500; ++i) {
    first.push_back(WithHash(i));
    last.push_back(WithHash(~i));
  }
  for (uint64_t i = 0; i < 6000; ++i)
    both.push_back(WithHash(i % 2 == 0 ? i : ~i));  // for these the table grows
  for (const auto& ids : {first, last, both}) CheckAgainstTwin(16, ids);
}

TEST(RowSlotsTest, RoomReservedIsRoomThatHolds) {
  RowSlots slots(16);
  EXPECT_FALSE(slots.HasRoom(100000));
  slots.Reserve(100000);
  const size_t slot = slots.Insert(7, 1);
  for (uint64_t id = 100; id < 100099; ++id) slots.Insert(id, 1);
  EXPECT_EQ(slots.Find(7), slot);
}

// Kernels before 6.17 move only one mapping in a call.
TEST(ZeroedPagesTest, StayOneMappingAsTheyGrow) {
  ZeroedPages pages(size_t{1} << 16);
  for (size_t size = size_t{1} << 17; size <= size_t{1} << 26; size *= 2) {
    pages.data()[size / 2 - 1] = std::byte{7};
    pages.Grow(size);
    ASSERT_GE(pages.size(), size);
    EXPECT_EQ(pages.data()[size / 2 - 1], std::byte{7});
    EXPECT_EQ(pages.data()[size - 1], std::byte{0});
    const auto begin = reinterpret_cast<uintptr_t>(pages.data());
    std::ifstream maps("/proc/self/maps");
    int within = 0;
    for (std::string line; std::getline(maps, line);) {
      const size_t dash = line.find('-');
      const uintptr_t from = std::stoull(line, nullptr, 16);
      const uintptr_t to = std::stoull(line.substr(dash + 1), nullptr, 16);
      within += from < begin + pages.size() && to > begin ? 1 : 0;
    }
    EXPECT_EQ(within, 1) << size;
  }
}

}  // namespace
}  // namespace thresher::storage
