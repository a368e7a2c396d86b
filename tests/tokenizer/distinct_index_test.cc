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

// A long message makes the index large; the short ones after it use the beginning of what it left.
TEST(DistinctIndexTest, AgreesWithAMapAfterLongAndShortMessages) {
  std::mt19937_64 random(1);
  DistinctIndex<uint64_t> tokens(7);
  DistinctIndex<uint32_t> ngrams(7);
  for (const size_t keys : {10, 100000, 5, 3000, 20000, 0, 200000, 2047, 2048, 2049, 4096, 100000}) {
    CheckMessage(keys, random, &tokens);
    CheckMessage(keys, random, &ngrams);
  }
}

}  // namespace
}  // namespace thresher::tokenizer
