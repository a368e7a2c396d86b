#include "pipeline/model/rehearsal_features.h"

#include <gtest/gtest.h>

namespace thresher::pipeline {
namespace {

tokenizer::Features Tokens(size_t count) {
  tokenizer::Features features;
  for (size_t i = 0; i < count; ++i) features.Add(i + 1, 0.5F, "text");
  return features;
}

TEST(RehearsalFeaturesTest, KeepsIdsAndValues) {
  RehearsalFeatures kept(1 << 20);
  tokenizer::Features features = Tokens(3);
  for (const float value : {0.25F, 0.25F, 0.5F, 1.0F}) features.Add(features.size() + 1, value, "text");
  kept.Add({.seq = 7, .message = 70}, features);
  const auto* found = kept.Find({.seq = 7, .message = 70});
  ASSERT_NE(found, nullptr);
  EXPECT_EQ(found->ids, features.ids);
  std::vector<float> values = {7};
  found->GetValues(&values);
  EXPECT_EQ(values, features.values);
  EXPECT_EQ(kept.Find({.seq = 8, .message = 70}), nullptr);
}

TEST(RehearsalFeaturesTest, KeepsAnyNumberOfValues) {
  for (const size_t size : {256U, 257U, 1000U}) {
    RehearsalFeatures kept(1 << 20);
    tokenizer::Features features;
    for (size_t i = 0; i < size; ++i) features.Add(i + 1, 1.0F / static_cast<float>(i + 1), "text");
    for (size_t i = 0; i < 10; ++i) features.Add(size + i + 1, 0.25F, "text");
    kept.Add({.seq = 7, .message = 70}, features);
    std::vector<float> values;
    kept.Find({.seq = 7, .message = 70})->GetValues(&values);
    EXPECT_EQ(values, features.values);
  }
}

// The number of an example that was lost with a damaged end of the log is given to another one.
TEST(RehearsalFeaturesTest, HasNotTheExampleOfAnotherMessage) {
  RehearsalFeatures kept(1 << 20);
  kept.Add({.seq = 7, .message = 70}, Tokens(3));
  EXPECT_EQ(kept.Find({.seq = 7, .message = 71}), nullptr);
}

TEST(RehearsalFeaturesTest, TheOldestLeave) {
  RehearsalFeatures kept(15000);
  for (uint64_t seq = 1; seq <= 100; ++seq) kept.Add({.seq = seq, .message = seq}, Tokens(100));
  EXPECT_EQ(kept.Find({.seq = 1, .message = 1}), nullptr);
  EXPECT_EQ(kept.Find({.seq = 84, .message = 84}), nullptr);
  EXPECT_NE(kept.Find({.seq = 86, .message = 86}), nullptr);
  EXPECT_NE(kept.Find({.seq = 100, .message = 100}), nullptr);
}

// Whether such a token counts depends on its row.
TEST(RehearsalFeaturesTest, HasNoExampleOfWhichATextIsUnknown) {
  RehearsalFeatures kept(1 << 20);
  tokenizer::Features features = Tokens(3);
  features.Add(uint64_t{1} << 63, 0.5F, "");  // an n-gram has none
  kept.Add({.seq = 1, .message = 1}, features);
  EXPECT_NE(kept.Find({.seq = 1, .message = 1}), nullptr);
  features.Add(9, 0.5F, "");
  kept.Add({.seq = 2, .message = 2}, features);
  EXPECT_EQ(kept.Find({.seq = 2, .message = 2}), nullptr);
}

}  // namespace
}  // namespace thresher::pipeline
