#include "pipeline/model/rehearsal_features.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <vector>

namespace thresher::pipeline {
namespace {

const tokenizer::IdSpace kIdsOfKept(17);

tokenizer::Features Tokens(size_t count) {
  tokenizer::Features features;
  for (size_t i = 0; i < count; ++i) features.Add(i + 1, 0.5F, "text");
  return features;
}

// Gets what is expected of an example that is kept, and leaves nothing of one found before.
void ExpectKept(const RehearsalFeatures& kept, const tokenizer::Features& features) {
  std::vector<uint64_t> ids = {7};
  std::vector<float> values = {7};
  ASSERT_TRUE(kept.Find({.seq = 7, .message = 70}, &ids, &values));
  EXPECT_EQ(ids, features.ids);
  EXPECT_EQ(values, features.values);
}

bool Has(const RehearsalFeatures& kept, const RehearsalMemory::Entry& entry) {
  std::vector<uint64_t> ids;
  std::vector<float> values;
  return kept.Find(entry, &ids, &values);
}

TEST(RehearsalFeaturesTest, KeepsIdsAndValues) {
  RehearsalFeatures kept(kIdsOfKept, 1 << 20);
  tokenizer::Features features = Tokens(3);
  for (const float value : {0.25F, 0.25F, 0.5F, 1.0F}) features.Add(features.size() + 1, value, "text");
  for (const uint32_t bytes : {0U, 0x61626364U, 0xFFFFFFFFU})
    features.Add(kIdsOfKept.Ngram(bytes), 0.25F, "");
  features.Add(kIdsOfKept.Token("word"), 0.5F, "word");
  kept.Add({.seq = 7, .message = 70}, features);
  ExpectKept(kept, features);
  EXPECT_FALSE(Has(kept, {.seq = 8, .message = 70}));
}

TEST(RehearsalFeaturesTest, KeepsAnyNumberOfValues) {
  for (const size_t size : {127U, 128U, 129U, 1000U}) {
    RehearsalFeatures kept(kIdsOfKept, 1 << 20);
    tokenizer::Features features;
    for (size_t i = 0; i < size; ++i) features.Add(i + 1, 1.0F / static_cast<float>(i + 1), "text");
    for (uint32_t i = 0; i < 10; ++i) features.Add(kIdsOfKept.Ngram(i), 0.25F, "");
    kept.Add({.seq = 7, .message = 70}, features);
    ExpectKept(kept, features);
  }
}

// The number of an example that was lost with a damaged end of the log is given to another one.
TEST(RehearsalFeaturesTest, HasNotTheExampleOfAnotherMessage) {
  RehearsalFeatures kept(kIdsOfKept, 1 << 20);
  kept.Add({.seq = 7, .message = 70}, Tokens(3));
  EXPECT_FALSE(Has(kept, {.seq = 7, .message = 71}));
}

TEST(RehearsalFeaturesTest, TheOldestLeave) {
  RehearsalFeatures kept(kIdsOfKept, 15000);
  for (uint64_t seq = 1; seq <= 100; ++seq) kept.Add({.seq = seq, .message = seq}, Tokens(100));
  EXPECT_FALSE(Has(kept, {.seq = 1, .message = 1}));
  EXPECT_FALSE(Has(kept, {.seq = 84, .message = 84}));
  EXPECT_TRUE(Has(kept, {.seq = 86, .message = 86}));
  EXPECT_TRUE(Has(kept, {.seq = 100, .message = 100}));
}

// Whether such a token counts depends on its row.
TEST(RehearsalFeaturesTest, HasNoExampleOfWhichATextIsUnknown) {
  RehearsalFeatures kept(kIdsOfKept, 1 << 20);
  tokenizer::Features features = Tokens(3);
  features.Add(kIdsOfKept.Ngram(1), 0.5F, "");  // an n-gram has none
  kept.Add({.seq = 1, .message = 1}, features);
  EXPECT_TRUE(Has(kept, {.seq = 1, .message = 1}));
  features.Add(9, 0.5F, "");
  kept.Add({.seq = 2, .message = 2}, features);
  EXPECT_FALSE(Has(kept, {.seq = 2, .message = 2}));
}

// As a damaged log may have them.
TEST(RehearsalFeaturesTest, HasNoExampleWithAnNgramOfAnotherSeed) {
  RehearsalFeatures kept(kIdsOfKept, 1 << 20);
  tokenizer::Features features = Tokens(3);
  features.Add(tokenizer::IdSpace(18).Ngram(1), 0.5F, "");
  kept.Add({.seq = 1, .message = 1}, features);
  EXPECT_FALSE(Has(kept, {.seq = 1, .message = 1}));
}

}  // namespace
}  // namespace thresher::pipeline
