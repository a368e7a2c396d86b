#include "storage/text_arena.h"

#include <gtest/gtest.h>

#include <string>

namespace thresher::storage {
namespace {

TEST(TextArena, GivesBackTextsAndAtLastTheirMemory) {
  TextArena arena;
  EXPECT_EQ(arena.Get(arena.Add("")), "");
  const uint64_t first = arena.Add("first");
  const uint64_t large = arena.Add(std::string(100000, 'x'));
  EXPECT_EQ(arena.Get(first), "first");
  EXPECT_EQ(arena.Get(large).size(), 100000U);
  EXPECT_GE(arena.memory_bytes(), 100000U);
  arena.Clear();
  EXPECT_LT(arena.memory_bytes(), 1000U);
  EXPECT_EQ(arena.Get(arena.Add("next")), "next");
}

}  // namespace
}  // namespace thresher::storage
