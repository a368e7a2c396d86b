#include "tokenizer/feature_codec.h"

#include <gtest/gtest.h>

#include <bit>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include "tests/tokenizer/first_encoding.h"
#include "tokenizer/feature_builder.h"
#include "tokenizer/feature_kind.h"
#include "tokenizer/ngrams.h"

namespace thresher::tokenizer {
namespace {

constexpr uint64_t kCodecSeed = 0x1234567890ABCDEF;

void ExpectSame(const Features& got, const Features& want) {
  ASSERT_EQ(got.ids, want.ids);
  ASSERT_EQ(got.truncated, want.truncated);
  ASSERT_EQ(got.values.size(), want.values.size());
  ASSERT_EQ(got.text_ends.size(), want.text_ends.size());
  for (size_t i = 0; i < want.size(); ++i) {
    ASSERT_EQ(std::bit_cast<uint32_t>(got.values[i]), std::bit_cast<uint32_t>(want.values[i])) << i;
    ASSERT_EQ(got.Text(i), want.Text(i)) << i;
  }
}

std::string Encoded(const Features& features) {
  std::string bytes;
  EncodeFeatures(features, IdSpace(kCodecSeed), &bytes);
  return bytes;
}

// With pairs.
void AddWords(std::string_view field, const std::vector<std::string>& words, FeatureBuilder* builder) {
  std::string buffer;
  for (const std::string& word : words) buffer += word;
  buffer.append(FeatureBuilder::kSlack, '#');
  std::vector<std::string_view> views;
  size_t begin = 0;
  for (const std::string& word : words) {
    views.push_back(std::string_view(buffer).substr(begin, word.size()));
    begin += word.size();
  }
  builder->AddWords(field, views, /*pairs=*/true);
}

// Random features: overlapping, separate and repeated n-grams, between them tokens with and without text, and
// pairs of words that are tokens, or nearly.
Features RandomFeatures(std::mt19937_64* random) {
  const IdSpace ids(kCodecSeed);
  Features features;
  auto add = [&](uint64_t id, std::string_view text) {
    features.ids.push_back(id);
    features.texts += text;
    features.text_ends.push_back(static_cast<uint32_t>(features.texts.size()));
  };
  for (uint64_t pieces = (*random)() % 20; pieces > 0; --pieces) {
    auto ngram = static_cast<uint32_t>((*random)());
    const std::string word(1 + (*random)() % 200, static_cast<char>('a' + (*random)() % 26));
    const uint64_t length = (*random)() % 20;
    for (uint64_t i = 0; i < length; ++i, ngram = ngram << 8 | (*random)() % 256) add(ids.Ngram(ngram), "");
    if ((*random)() % 2 == 0) add(ids.Token(word), (*random)() % 8 == 0 ? "" : word);
    std::string last;
    for (uint64_t words = (*random)() % 6; words > 0; --words) {
      const std::string field = (*random)() % 5 == 0 ? "subject:" : "body:";
      const std::string next(1 + (*random)() % 3, static_cast<char>('a' + (*random)() % 3));
      if ((*random)() % 4 != 0) add(ids.Token(field + next), field + next);
      const std::string pair = "pair:" + field + last + " " + next;
      if (!last.empty()) add(ids.Token(pair), pair);
      last = next;
    }
  }
  features.values.assign(features.size(), 0.25F);
  features.truncated = (*random)() % 2 == 0;
  return features;
}

TEST(FeatureCodec, RoundTrip) {
  std::mt19937_64 random(1);
  for (int round = 0; round < 5000; ++round) {
    Features features = RandomFeatures(&random);
    if (round % 5 == 0) {
      for (float& value : features.values) value = std::bit_cast<float>(static_cast<uint32_t>(random()));
    }
    // Ids of no IdSpace are kept, too, and so are texts from which no id follows.
    if (round % 7 == 0 && features.size() > 0) features.ids[random() % features.size()] = random();
    const std::optional<Features> decoded = DecodeFeatures(Encoded(features), IdSpace(kCodecSeed));
    ASSERT_TRUE(decoded.has_value());
    ExpectSame(*decoded, features);
  }
}

// As the default scheme gives them: a float for each kind, however words and pairs alternate.
TEST(FeatureCodec, ValuesByKindTakeAFloatEach) {
  FeatureBuilder builder(kCodecSeed, 5000);
  Features features;
  const auto encoded = [&](ValueScheme scheme) {
    builder.Start(&features);
    builder.Add("subject:offer");
    builder.Add("header:name:X");
    Ngrams(kCodecSeed).Add("some bytes", &builder);
    AddWords("body:", {"the", "cat", "sat", "on", "a", "mat"}, &builder);
    builder.Finish(scheme);
    return Encoded(features);
  };
  const std::string binary = encoded(ValueScheme::kBinary);
  const std::string normalised = encoded(ValueScheme::kNormalised);
  const std::string by_kind = encoded(ValueScheme::kBalanced);
  ExpectSame(*DecodeFeatures(by_kind, IdSpace(kCodecSeed)), features);
  EXPECT_EQ(by_kind.size(), binary.size() + (kFeatureKinds - 1) * sizeof(float) - 1) << "no length of a run";
  EXPECT_EQ(by_kind[1], 4);
  EXPECT_EQ(binary[1], 0) << "as an earlier program reads it";
  EXPECT_EQ(normalised[1], 0);
  builder.Start(&features);
  builder.Finish(ValueScheme::kBalanced);
  ExpectSame(*DecodeFeatures(Encoded(features), IdSpace(kCodecSeed)), features);

  for (size_t size = 0; size < by_kind.size(); ++size)
    EXPECT_FALSE(DecodeFeatures(by_kind.substr(0, size), IdSpace(kCodecSeed)).has_value());
  EXPECT_FALSE(DecodeFeatures(by_kind + '\0', IdSpace(kCodecSeed)).has_value());
}

// The kinds and their order are part of what is stored.
TEST(FeatureCodec, ValuesByKindAreTheseBytes) {
  const IdSpace ids(kCodecSeed);
  Features features;
  for (const char* letter : {"a", "b", "c"}) {
    const std::string body = std::string("body:") + letter;
    const std::string subject = std::string("subject:") + letter;
    features.Add(ids.Token(body), 0.5F, body);
    features.Add(ids.Token(subject), 1.0F, subject);
  }
  const std::string_view tokens =
      "\x02\x04\x06\x1a\x10"
      "body:a\x16subject:a\x10"
      "body:b\x16subject:b\x10"
      "body:c\x16subject:c";
  const std::string_view values("\0\0\0\x3f\0\0\x80\x3f", 8);
  EXPECT_EQ(Encoded(features), std::string(tokens).append(values));
}

// Some features of a kind with another value.
TEST(FeatureCodec, OtherValuesAreKeptInRuns) {
  std::mt19937_64 random(6);
  for (int round = 0; round < 500; ++round) {
    Features features = RandomFeatures(&random);
    for (size_t i = 0; i < features.size(); ++i)
      features.values[i] =
          static_cast<float>(static_cast<size_t>(KindOfFeature(features.ids[i], features.Text(i))));
    if (round % 2 == 0 && features.size() > 0) features.values[random() % features.size()] = 7;
    const auto decoded = DecodeFeatures(Encoded(features), IdSpace(kCodecSeed));
    ASSERT_TRUE(decoded.has_value());
    ExpectSame(*decoded, features);
  }
}

TEST(FeatureCodec, RunsOfNgramsTakeAByteEach) {
  std::string text;
  for (int i = 0; i < 2000; ++i) text += static_cast<char>(i / 200 + 13 * (i % 200));
  FeatureBuilder builder(kCodecSeed, 5000);
  Features features;
  builder.Start(&features);
  Ngrams(kCodecSeed).Add(text, &builder);
  builder.Finish(ValueScheme::kNormalised);
  EXPECT_LT(Encoded(features).size(), features.size() + features.size() / 4);
}

// "the cat sat on the mat and the cat sat on …": a word takes its bytes and one more; a pair takes one byte
// if its words come one after the other for the first time, and up to five if they were met before.
TEST(FeatureCodec, PairsTakeAByteOrFew) {
  FeatureBuilder builder(kCodecSeed, 5000);
  Features features;
  builder.Start(&features);
  std::vector<std::string> words;
  for (int i = 0; i < 300; ++i) words.push_back("word" + std::to_string(100 + (i < 200 ? i : (7 * i) % 200)));
  AddWords("body:", words, &builder);
  builder.Finish(ValueScheme::kNormalised);
  EXPECT_LT(Encoded(features).size(), 200 * 8 + 199 + 100 * 5 + 20);
  ExpectSame(*DecodeFeatures(Encoded(features), IdSpace(kCodecSeed)), features);
}

// What the tokenizer notes of its features spares a search, whose result is the same; but the search may also
// take the rest of a pair that was cut for a word. Fields without a colon, with two and empty ones, words
// that come again and that are empty, a limit, other tokens.
TEST(FeatureCodec, WhatTheTokenizerNotesSparesASearch) {
  std::mt19937_64 random(5);
  const std::vector<std::string> fields = {"body:", "subject:", "two:colons:", "none", ""};
  size_t noted = 0;
  for (int round = 0; round < 500; ++round) {
    FeatureBuilder builder(kCodecSeed, random() % 4 == 0 ? random() % 200 : 5000);
    Features features;
    builder.Start(&features);
    const bool are_cut = round % 3 == 0;
    if (round % 2 == 0) Ngrams(kCodecSeed).Add("some bytes", &builder);
    for (uint64_t texts = random() % 4; texts > 0; --texts) {
      std::vector<std::string> words;
      for (uint64_t left = random() % 150; left > 0; --left) {
        const bool is_long = are_cut && random() % 16 == 0;
        const uint64_t size = random() % (is_long ? FeatureBuilder::kMaxText + 1 : 3);
        words.emplace_back(size, static_cast<char>('a' + random() % 3));
      }
      AddWords(fields[random() % fields.size()], words, &builder);
      builder.Add("pair:body:a ", "between");
    }
    builder.Finish(ValueScheme::kLogCount);
    noted += features.pairs.size();
    const std::string bytes = Encoded(features);
    ExpectSame(*DecodeFeatures(bytes, IdSpace(kCodecSeed)), features);
    features.seed.reset();
    if (!are_cut) {
      ASSERT_EQ(bytes, Encoded(features));
    }
  }
  EXPECT_GT(noted, 1000U);
}

TEST(FeatureCodec, NothingIsNotedOfOtherFeatures) {
  FeatureBuilder builder(kCodecSeed + 1, 5000);  // another id space
  Features features;
  builder.Start(&features);
  AddWords("body:", {"the", "cat"}, &builder);
  builder.Finish(ValueScheme::kNormalised);
  ExpectSame(*DecodeFeatures(Encoded(features), IdSpace(kCodecSeed)), features);
  features.seed = kCodecSeed;
  features.Add(7, 1.0F, "its id does not follow");
  EXPECT_FALSE(features.seed.has_value());
}

TEST(FeatureCodec, ReadsTheVersionBefore) {
  std::mt19937_64 random(4);
  for (int round = 0; round < 500; ++round) {
    const Features features = RandomFeatures(&random);
    const auto decoded = DecodeFeatures(InFirstEncoding(features), IdSpace(kCodecSeed));
    ASSERT_TRUE(decoded.has_value());
    ExpectSame(*decoded, features);
  }
  // A run of n-grams: "Recei".
  const auto decoded = DecodeFeatures(std::string("\1\0\2\5Recei\2\0\0\x80\x3f", 14), IdSpace(kCodecSeed));
  ASSERT_TRUE(decoded.has_value());
  EXPECT_EQ(decoded->ids,
            (std::vector{IdSpace(kCodecSeed).Ngram(0x52656365), IdSpace(kCodecSeed).Ngram(0x65636569)}));
}

TEST(FeatureCodec, AppendsToWhatIsThere) {
  std::string bytes = "before";
  EncodeFeatures({}, IdSpace(kCodecSeed), &bytes);
  EXPECT_EQ(bytes.substr(0, 6), "before");
  EXPECT_TRUE(DecodeFeatures(std::string_view(bytes).substr(6), IdSpace(kCodecSeed)).has_value());
}

TEST(FeatureCodec, EveryPrefixIsRefused) {
  std::mt19937_64 random(2);
  const Features features = RandomFeatures(&random);
  const std::string bytes = Encoded(features);
  for (size_t size = 0; size < bytes.size(); ++size) {
    EXPECT_FALSE(DecodeFeatures(std::string_view(bytes).substr(0, size), IdSpace(kCodecSeed)).has_value())
        << size;
  }
  EXPECT_FALSE(DecodeFeatures(bytes + "x", IdSpace(kCodecSeed)).has_value());
}

TEST(FeatureCodec, AnotherVersionIsRefused) {
  std::string bytes = Encoded({});
  bytes[0] = 3;
  EXPECT_FALSE(DecodeFeatures(bytes, IdSpace(kCodecSeed)).has_value());
}

// Ten bytes that claim a count of 2^60 must not make the decoder allocate that much.
TEST(FeatureCodec, HugeCountsAreRefused) {
  for (const std::string& tail :
       {std::string("\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\x7F"),
        std::string("\x80\x80\x80\x80\x80\x80\x80\x80\x80\x80\x01"), std::string("\xFF\xFF\xFF\x7F")}) {
    for (const std::string version : {"\x01\x02", "\x02\x01"}) {
      EXPECT_FALSE(DecodeFeatures(version + tail + "\x01\x01\x01\x01\x01", IdSpace(kCodecSeed)).has_value());
    }
  }
}

TEST(FeatureCodec, DamagedBytesAreSafe) {
  std::mt19937_64 random(3);
  for (int round = 0; round < 20000; ++round) {
    const Features features = RandomFeatures(&random);
    std::string bytes = round % 2 == 0 ? Encoded(features) : InFirstEncoding(features);
    for (uint64_t flips = random() % 4 + 1; flips > 0; --flips)
      bytes[random() % bytes.size()] = static_cast<char>(random());
    if (random() % 4 == 0) bytes.resize(random() % (bytes.size() + 1));
    const std::optional<Features> decoded = DecodeFeatures(bytes, IdSpace(kCodecSeed));
    if (!decoded) continue;
    ASSERT_EQ(decoded->values.size(), decoded->size());
    ASSERT_EQ(decoded->text_ends.size(), decoded->size());
    // Whatever the decoder accepts must be a valid encoding.
    const std::optional<Features> again = DecodeFeatures(Encoded(*decoded), IdSpace(kCodecSeed));
    ASSERT_TRUE(again.has_value());
    ExpectSame(*again, *decoded);
  }
}

}  // namespace
}  // namespace thresher::tokenizer
