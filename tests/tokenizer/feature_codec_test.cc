#include "tokenizer/feature_codec.h"

#include <gtest/gtest.h>

#include <bit>
#include <random>

#include "tokenizer/feature_builder.h"
#include "tokenizer/ngrams.h"

namespace thresher::tokenizer {
namespace {

constexpr uint64_t kCodecSeed = 0x1234567890ABCDEF;

void ExpectSame(const Features& got, const Features& want, std::span<const uint8_t> with_text) {
  ASSERT_EQ(got.ids, want.ids);
  ASSERT_EQ(got.truncated, want.truncated);
  ASSERT_EQ(got.values.size(), want.values.size());
  ASSERT_EQ(got.text_ends.size(), want.text_ends.size());
  for (size_t i = 0; i < want.size(); ++i) {
    ASSERT_EQ(std::bit_cast<uint32_t>(got.values[i]), std::bit_cast<uint32_t>(want.values[i])) << i;
    const bool kept = !with_text.empty() && with_text[i] != 0;
    ASSERT_EQ(got.Text(i), kept ? want.Text(i) : std::string_view()) << i;
  }
}

std::string Encoded(const Features& features, std::span<const uint8_t> with_text) {
  std::string bytes;
  EncodeFeatures(features, IdSpace(kCodecSeed), with_text, &bytes);
  return bytes;
}

// Random features: overlapping, separate and repeated n-grams, tokens between them, any values.
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
    if ((*random)() % 2 == 0) add(ids.Token(word), word);
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
    // Ids of no IdSpace are kept, too.
    if (round % 7 == 0 && features.size() > 0) features.ids[random() % features.size()] = random();
    std::vector<uint8_t> with_text(random() % 2 == 0 ? features.size() : 0);
    for (uint8_t& with : with_text) with = random() % 3 == 0;
    const std::optional<Features> decoded = DecodeFeatures(Encoded(features, with_text), IdSpace(kCodecSeed));
    ASSERT_TRUE(decoded.has_value());
    ExpectSame(*decoded, features, with_text);
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
  EXPECT_LT(Encoded(features, {}).size(), features.size() + features.size() / 4);
}

TEST(FeatureCodec, AppendsToWhatIsThere) {
  std::string bytes = "before";
  EncodeFeatures({}, IdSpace(kCodecSeed), {}, &bytes);
  EXPECT_EQ(bytes.substr(0, 6), "before");
  EXPECT_TRUE(DecodeFeatures(std::string_view(bytes).substr(6), IdSpace(kCodecSeed)).has_value());
}

TEST(FeatureCodec, EveryPrefixIsRefused) {
  std::mt19937_64 random(2);
  const Features features = RandomFeatures(&random);
  const std::string bytes = Encoded(features, std::vector<uint8_t>(features.size(), 1));
  for (size_t size = 0; size < bytes.size(); ++size) {
    EXPECT_FALSE(DecodeFeatures(std::string_view(bytes).substr(0, size), IdSpace(kCodecSeed)).has_value())
        << size;
  }
  EXPECT_FALSE(DecodeFeatures(bytes + "x", IdSpace(kCodecSeed)).has_value());
}

TEST(FeatureCodec, AnotherVersionIsRefused) {
  std::string bytes = Encoded({}, {});
  bytes[0] = 2;
  EXPECT_FALSE(DecodeFeatures(bytes, IdSpace(kCodecSeed)).has_value());
}

// Ten bytes that claim a count of 2^60 must not make the decoder allocate that much.
TEST(FeatureCodec, HugeCountsAreRefused) {
  for (const std::string& tail :
       {std::string("\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\x7F"),
        std::string("\x80\x80\x80\x80\x80\x80\x80\x80\x80\x80\x01"), std::string("\xFF\xFF\xFF\x7F")}) {
    EXPECT_FALSE(DecodeFeatures(std::string("\x01\x02") + tail + "\x01\x01\x01\x01\x01", IdSpace(kCodecSeed))
                     .has_value());
  }
}

TEST(FeatureCodec, DamagedBytesAreSafe) {
  std::mt19937_64 random(3);
  for (int round = 0; round < 20000; ++round) {
    const Features features = RandomFeatures(&random);
    std::string bytes = Encoded(features, std::vector<uint8_t>(round % 2 == 0 ? features.size() : 0, 1));
    for (uint64_t flips = random() % 4 + 1; flips > 0; --flips)
      bytes[random() % bytes.size()] = static_cast<char>(random());
    if (random() % 4 == 0) bytes.resize(random() % (bytes.size() + 1));
    const std::optional<Features> decoded = DecodeFeatures(bytes, IdSpace(kCodecSeed));
    if (!decoded) continue;
    ASSERT_EQ(decoded->values.size(), decoded->size());
    ASSERT_EQ(decoded->text_ends.size(), decoded->size());
    // Whatever the decoder accepts must be a valid encoding.
    const std::vector<uint8_t> all(decoded->size(), 1);
    const std::optional<Features> again = DecodeFeatures(Encoded(*decoded, all), IdSpace(kCodecSeed));
    ASSERT_TRUE(again.has_value());
    ExpectSame(*again, *decoded, all);
  }
}

}  // namespace
}  // namespace thresher::tokenizer
