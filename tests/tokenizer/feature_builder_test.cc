#include "tokenizer/feature_builder.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <random>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "tokenizer/ngrams.h"

namespace thresher::tokenizer {
namespace {

using ::testing::Each;
using ::testing::ElementsAre;
using ::testing::FloatEq;

constexpr uint64_t kSeed = 11;
constexpr size_t kNoLimit = 1u << 20;

TEST(FeatureBuilder, DistinctInOrderOfFirstOccurrence) {
  FeatureBuilder builder(kSeed, kNoLimit);
  Features features;
  builder.Start(&features);
  for (const char* word : {"b", "a", "b", "c", "a"}) builder.Add("body:", word);
  builder.Finish(ValueScheme::kBinary);
  ASSERT_EQ(features.size(), 3U);
  EXPECT_EQ(features.Text(0), "body:b");
  EXPECT_EQ(features.Text(1), "body:a");
  EXPECT_EQ(features.Text(2), "body:c");
  EXPECT_EQ(features.ids[1], IdSpace(kSeed).Token("body:a"));
  EXPECT_THAT(features.values, Each(1.0F));
  EXPECT_FALSE(features.truncated);
}

TEST(FeatureBuilder, Values) {
  FeatureBuilder builder(kSeed, kNoLimit);
  Features features;
  builder.Start(&features);
  for (const char* word : {"a", "b", "a", "a", "c", "d"}) builder.Add(word);
  builder.Finish(ValueScheme::kLogCount);
  EXPECT_FLOAT_EQ(features.values[0], static_cast<float>(1 + std::log(3.0)));
  EXPECT_FLOAT_EQ(features.values[1], 1.0F);
  builder.Start(&features);
  for (const char* word : {"a", "b", "a", "a", "c", "d"}) builder.Add(word);
  builder.Finish(ValueScheme::kNormalised);
  EXPECT_THAT(features.values, Each(0.5F));
  builder.Start(&features);
  for (const char* word : {"a", "b", "a", "a", "c", "a", "b", "a"}) builder.Add(word);
  builder.Finish(ValueScheme::kFrequency);
  EXPECT_THAT(features.values, ElementsAre(0.625F, 0.25F, 0.125F));
  builder.Start(&features);
  builder.Finish(ValueScheme::kFrequency);
  EXPECT_THAT(features.values, ElementsAre());
}

TEST(FeatureBuilder, KindsOfFeaturesShareTheNorm) {
  FeatureBuilder builder(kSeed, 1000);
  Features features;
  builder.Start(&features);
  builder.Add("subject:free");
  builder.AddNgrams(std::vector<uint32_t>(1, 7), std::vector<uint32_t>(1, 1));
  for (int i = 0; i < 6; ++i) builder.Add("body:", std::to_string(i));
  builder.Add("subject:money");
  for (int i = 0; i < 2; ++i) builder.Add("header:", std::to_string(i));
  builder.Finish(ValueScheme::kBalanced);
  ASSERT_EQ(features.size(), 11U);
  // Of n features, the share is n/(n + 2): 1/2 for the subject and others, 1/3 for one n-gram, 3/4 for words.
  constexpr double kShares = 0.5 + 1.0 / 3 + 0.75 + 0.5;
  const auto squared = [&](size_t i) {
    return std::pow(static_cast<double>(features.values[i]), 2) * kShares;
  };
  EXPECT_NEAR(squared(0), 0.5 / 2, 1e-6);
  EXPECT_NEAR(squared(1), 1.0 / 3, 1e-6) << "the n-gram";
  for (size_t i = 2; i < 8; ++i) EXPECT_NEAR(squared(i), 0.75 / 6, 1e-6);
  for (size_t i = 8; i < 11; ++i) EXPECT_NEAR(squared(i), 0.5 / 2, 1e-6);

  builder.Start(&features);
  for (int i = 0; i < 3; ++i) builder.Add("body:", std::to_string(i));
  builder.Finish(ValueScheme::kBalanced);
  EXPECT_THAT(features.values, Each(FloatEq(static_cast<float>(std::sqrt(1.0 / 3))))) << "one kind alone";
  builder.Start(&features);
  builder.Finish(ValueScheme::kBalanced);
  EXPECT_THAT(features.values, ElementsAre());
}

// Words that are numbered together have the kinds that they have on their own.
TEST(FeatureBuilder, KindsAreThoseOfTheTexts) {
  FeatureBuilder builder(kSeed, 100000);
  Features features;
  builder.Start(&features);
  const std::string text = "one two" + std::string(FeatureBuilder::kSlack, '#');
  const std::vector<std::string_view> words = {std::string_view(text).substr(0, 3),
                                               std::string_view(text).substr(4, 3)};
  for (const std::string_view field : {"subject:", "body:", "hidden:", "from:name:"})
    builder.AddWords(field, words, /*pairs=*/true);
  builder.AddNgrams(std::vector<uint32_t>{1, 2, 3}, std::vector<uint32_t>{1, 1, 1});
  builder.Add("composition:html");
  builder.Finish(ValueScheme::kBalanced);
  std::map<FeatureKind, std::set<float>> values;
  for (size_t i = 0; i < features.size(); ++i)
    values[KindOfFeature(features.ids[i], features.Text(i))].insert(features.values[i]);
  EXPECT_EQ(values.size(), kFeatureKinds);
  for (const auto& [kind, of_kind] : values) EXPECT_EQ(of_kind.size(), 1U);
}

// Eight n-grams have half of the squared norm together, and two tokens the other half.
TEST(FeatureBuilder, NormalisedHalves) {
  FeatureBuilder builder(kSeed, kNoLimit);
  Features features;
  builder.Start(&features);
  Ngrams(kSeed).Add("abcdefghijk", &builder);
  builder.Add("one");
  builder.Add("two");
  builder.Finish(ValueScheme::kNormalised);
  ASSERT_EQ(features.size(), 10U);
  for (size_t i = 0; i < features.size(); ++i) {
    EXPECT_FLOAT_EQ(features.values[i], IdSpace::IsNgram(features.ids[i]) ? 0.25F : 0.5F);
  }
}

TEST(FeatureBuilder, LimitTruncates) {
  FeatureBuilder builder(kSeed, 3);
  Features features;
  builder.Start(&features);
  Ngrams(kSeed).Add("abcdef", &builder);
  EXPECT_FALSE(features.truncated);
  builder.Add("more");
  builder.Finish(ValueScheme::kBinary);
  EXPECT_EQ(features.size(), 3U);
  EXPECT_TRUE(features.truncated);
  builder.Start(&features);
  builder.Finish(ValueScheme::kNormalised);
  EXPECT_EQ(features.size(), 0U);
  EXPECT_FALSE(features.truncated);
}

TEST(FeatureBuilder, LongTextsAreCutAtACharacter) {
  FeatureBuilder builder(kSeed, kNoLimit);
  Features features;
  builder.Start(&features);
  builder.Add(std::string(FeatureBuilder::kMaxText - 1, 'x'), "\xC3\xA4");
  builder.Add(std::string(300, 'y'));
  builder.Add(std::string(1u << 20, 'z'));
  builder.Add(std::string(300, '\x80'));
  builder.Finish(ValueScheme::kBinary);
  EXPECT_EQ(features.Text(0), std::string(FeatureBuilder::kMaxText - 1, 'x'));
  EXPECT_EQ(features.Text(1), std::string(FeatureBuilder::kMaxText, 'y'));
  EXPECT_EQ(features.Text(3), "");
}

// Compares one builder, reused for many messages, with a map per message.
TEST(FeatureBuilder, AgreesWithAMap) {
  FeatureBuilder builder(kSeed, kNoLimit);
  const IdSpace ids(kSeed);
  Features features;
  std::mt19937 random(3);
  for (int message = 0; message < 60; ++message) {
    const bool large = message % 20 == 19;  // the tables grow
    const uint32_t words = large ? 20000 : 50;
    std::map<uint64_t, int> counts;
    std::vector<uint64_t> order;
    builder.Start(&features);
    for (uint32_t i = 0; i < 2 * words; ++i) {
      const uint32_t word = static_cast<uint32_t>(random()) % words;
      const uint64_t id = ids.Token("w:" + std::to_string(word));
      builder.Add("w:", std::to_string(word));
      if (++counts[id] == 1) order.push_back(id);
    }
    builder.Finish(ValueScheme::kLogCount);
    ASSERT_EQ(features.ids, order);
    for (size_t i = 0; i < order.size(); ++i) {
      ASSERT_FLOAT_EQ(features.values[i], static_cast<float>(1 + std::log(counts[order[i]])));
      ASSERT_EQ(ids.Token(features.Text(i)), order[i]);
    }
  }
}

// What AddWords makes faster: an Add for each word and pair.
void AddEachWord(std::string_view field, const std::vector<std::string_view>& words, bool pairs,
                 FeatureBuilder* builder) {
  std::string_view last;
  for (const std::string_view word : words) {
    builder->Add(field, word);
    if (pairs && !last.empty()) builder->Add("pair:", field, last, " ", word);
    last = word;
  }
}

// Few and many words, short and long ones, with and without pairs, cut inside characters, with a limit on
// features and without, among other tokens.
TEST(FeatureBuilder, WordsAreAddedAsOneByOne) {
  std::mt19937 random(7);
  for (int round = 0; round < 300; ++round) {
    const size_t limit = round % 3 == 0 ? random() % 300 : kNoLimit;
    FeatureBuilder together(kSeed, limit);
    FeatureBuilder one_by_one(kSeed, limit);
    Features got;
    Features want;
    for (int message = 0; message < 3; ++message) {
      together.Start(&got);
      one_by_one.Start(&want);
      for (uint32_t texts = random() % 4; texts > 0; --texts) {
        std::string buffer;
        std::vector<size_t> sizes(random() % (round % 10 == 0 ? 2000 : 100));
        for (size_t& size : sizes) {
          size = random() % 8 == 0 ? random() % (FeatureBuilder::kMaxText + 1) : random() % 4;
          for (size_t i = 0; i < size; ++i) buffer += random() % 2 == 0 ? 'a' : "\xC3\xA4\x62"[random() % 3];
        }
        buffer.append(FeatureBuilder::kSlack, '#');
        std::vector<std::string_view> words;
        size_t begin = 0;
        for (const size_t size : sizes) {
          words.emplace_back(buffer.data() + begin, size);
          begin += size;
        }
        const std::string field = random() % 4 == 0 ? std::string(random() % 300, 'f') : "body:";
        const bool pairs = random() % 2 == 0;
        together.AddWords(field, words, pairs);
        AddEachWord(field, words, pairs, &one_by_one);
        together.Add("between");
        one_by_one.Add("between");
      }
      together.Finish(ValueScheme::kLogCount);
      one_by_one.Finish(ValueScheme::kLogCount);
      ASSERT_EQ(got.ids, want.ids);
      ASSERT_EQ(got.values, want.values);
      ASSERT_EQ(got.texts, want.texts);
      ASSERT_EQ(got.text_ends, want.text_ends);
      ASSERT_EQ(got.truncated, want.truncated);
    }
  }
}

TEST(Ngrams, EveryFourBytesOnce) {
  const IdSpace ids(kSeed);
  FeatureBuilder builder(kSeed, kNoLimit);
  Ngrams ngrams(kSeed);
  Features features;
  std::mt19937 random(5);
  for (int message = 0; message < 300; ++message) {
    std::string text;
    const size_t size = random() % 300;
    while (text.size() < size) text += static_cast<char>(random() % 3 == 0 ? random() : 'a' + random() % 2);
    std::map<uint64_t, int> counts;
    std::vector<uint64_t> expected;
    for (size_t i = 0; i + 4 <= text.size(); ++i) {
      uint32_t bytes = 0;
      for (size_t j = i; j < i + 4; ++j) bytes = bytes * 256 + static_cast<unsigned char>(text[j]);
      const uint64_t id = ids.Ngram(bytes);
      if (++counts[id] == 1) expected.push_back(id);
    }
    builder.Start(&features);
    ngrams.Add(text, &builder);
    builder.Finish(ValueScheme::kLogCount);
    ASSERT_EQ(features.ids, expected);
    for (size_t i = 0; i < expected.size(); ++i) {
      ASSERT_FLOAT_EQ(features.values[i], static_cast<float>(1 + std::log(counts[expected[i]])));
      ASSERT_EQ(features.Text(i), "");
    }
  }
}

}  // namespace
}  // namespace thresher::tokenizer
