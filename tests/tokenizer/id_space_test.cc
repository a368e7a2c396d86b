#include "tokenizer/id_space.h"

#include <gtest/gtest.h>

#include <random>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace thresher::tokenizer {
namespace {

TEST(IdSpace, NgramsComeBackFromTheirIds) {
  std::mt19937_64 random(1);
  for (int round = 0; round < 200; ++round) {
    const IdSpace ids(random());
    for (int i = 0; i < 200; ++i) {
      const auto bytes = static_cast<uint32_t>(random());
      const uint64_t id = ids.Ngram(bytes);
      ASSERT_TRUE(IdSpace::IsNgram(id));
      ASSERT_EQ(ids.NgramBytes(id), bytes);
    }
  }
}

TEST(IdSpace, EdgeSeedsAndBytes) {
  for (const uint64_t seed : {uint64_t{0}, ~uint64_t{0}, uint64_t{1} << 63, uint64_t{1}}) {
    const IdSpace ids(seed);
    for (const uint32_t bytes : {0U, 1U, 0x7FFFFFFFU, 0x80000000U, 0xFFFFFFFFU}) {
      EXPECT_EQ(ids.NgramBytes(ids.Ngram(bytes)), bytes);
    }
  }
}

TEST(IdSpace, TokensAndNgramsNeverMeet) {
  const IdSpace ids(7);
  for (int i = 0; i < 1000; ++i) EXPECT_FALSE(IdSpace::IsNgram(ids.Token(std::to_string(i))));
}

TEST(IdSpace, IdsDependOnTextAndSeed) {
  std::set<uint64_t> seen;
  for (uint64_t seed = 0; seed < 50; ++seed) {
    const IdSpace ids(seed);
    for (int i = 0; i < 50; ++i) {
      seen.insert(ids.Token("body:" + std::to_string(i)));
      seen.insert(ids.Ngram(static_cast<uint32_t>(i)));
    }
  }
  EXPECT_EQ(seen.size(), 50U * 50U * 2U);
}

// Words that a sender chose to meet in one slot of a table, for a model with a seed that the sender knows.
TEST(IdSpace, TextsChosenForOneSeedDoNotMeetUnderAnother) {
  constexpr uint64_t kSlots = 4096;
  std::vector<std::string> chosen;
  for (int i = 0; chosen.size() < 64; ++i) {
    std::string text = "body:" + std::to_string(i);
    if (IdSpace(1).Token(text) % kSlots == 0) chosen.push_back(std::move(text));
  }
  for (uint64_t seed = 2; seed < 20; ++seed) {
    std::set<uint64_t> slots;
    for (const std::string& text : chosen) slots.insert(IdSpace(seed).Token(text) % kSlots);
    EXPECT_GT(slots.size(), 58U) << seed;
  }
}

// Tables use the low bits of an id as slot, so they must be spread for similar n-grams.
TEST(IdSpace, LowBitsOfNgramsSpread) {
  const IdSpace ids(42);
  std::set<uint64_t> low;
  for (uint32_t bytes = 0; bytes < 4096; ++bytes) low.insert(ids.Ngram(bytes) & 4095);
  // 4096 balls thrown into 4096 bins occupy a share of 1 - 1/e of the bins: 2589.
  EXPECT_GT(low.size(), 2450U);
  EXPECT_LT(low.size(), 2750U);
}

TEST(IdSpace, ForeignNgramIdIsSafe) {
  const IdSpace ids(3);
  EXPECT_EQ(ids.NgramText(~uint64_t{0}).substr(0, 4), "raw:");
}

TEST(IdSpace, NgramText) {
  const IdSpace ids(5);
  EXPECT_EQ(ids.NgramText(ids.Ngram(0x52656365)), "raw:Rece");
  EXPECT_EQ(ids.NgramText(ids.Ngram(0x0a20ff5c)), "raw:\\x0a\\x20\\xff\\x5c");
}

}  // namespace
}  // namespace thresher::tokenizer
