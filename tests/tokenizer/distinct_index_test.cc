#include "tokenizer/distinct_index.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <random>
#include <unordered_map>

namespace thresher::tokenizer {
namespace {

// Adds `keys` random keys, some of them several times, beside a map.
template <class Key>
void CheckMessage(size_t keys, std::mt19937_64& random, DistinctIndex<Key>* index) {
  index->Clear();
  std::unordered_map<Key, uint32_t> twin;
  for (size_t i = 0; i < keys; ++i) {
    const auto key = static_cast<Key>(random() % 3 == 0 ? random() % 100 : random());
    const auto next = static_cast<uint32_t>(twin.size());
    ASSERT_EQ(index->Add(key, next), twin.try_emplace(key, next).first->second) << i;
  }
}

// The same at once.
template <class Key>
void CheckMessageAtOnce(size_t keys, std::mt19937_64& random, DistinctIndex<Key>* index) {
  index->Clear();
  std::unordered_map<Key, uint32_t> twin;
  size_t taken = 0;
  const auto next_key = [&] { return static_cast<Key>(random() % 3 == 0 ? random() % 100 : random()); };
  const auto take = [&](Key key, uint32_t number) {
    const auto next = static_cast<uint32_t>(twin.size());
    EXPECT_EQ(number, twin.try_emplace(key, next).first->second) << taken;
    ++taken;
  };
  const uint32_t distinct = index->AddAll(keys, next_key, take);
  EXPECT_EQ(distinct, twin.size());
  EXPECT_EQ(taken, keys);
}

// A long message makes the index large; the short ones after it use the beginning of what it left.
TEST(DistinctIndexTest, AgreesWithAMapAfterLongAndShortMessages) {
  std::mt19937_64 random(1);
  DistinctIndex<uint64_t> tokens(7);
  DistinctIndex<uint32_t> ngrams(7);
  for (const size_t keys :
       {10U, 100000U, 5U, 3000U, 20000U, 0U, 200000U, 2047U, 2048U, 2049U, 4096U, 100000U}) {
    CheckMessage(keys, random, &tokens);
    CheckMessage(keys, random, &ngrams);
    CheckMessageAtOnce(keys, random, &ngrams);
    CheckMessageAtOnce(keys, random, &tokens);
  }
}

}  // namespace
}  // namespace thresher::tokenizer
