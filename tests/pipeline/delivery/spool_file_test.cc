// Spool files that a bad disk or a fault changed: nothing wrong is ever taught.
#include "pipeline/delivery/spool_file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

#include "pipeline/model/soundness.h"
#include "tests/pipeline/messages.h"
#include "tests/tokenizer/first_encoding.h"
#include "tokenizer/tokenizer.h"

namespace thresher::pipeline {
namespace {

using testing::HasSubstr;
using tokenizer::Features;
using tokenizer::MessageKey;

constexpr uint64_t kSeed = 5;
const tokenizer::FeatureDecoder kSpoolDecoder({}, kSeed);
const tokenizer::IdSpace& kSpoolIds = kSpoolDecoder.id_space();
const MessageKey kKey{"a@b", "0123456789abcdef0123456789abcdef"};

Features SomeFeatures() {
  Features features;
  tokenizer::Tokenizer(tokenizer::Options{}, kSeed)
      .Tokenize(HamMessage(1), tokenizer::Kind::kMail, &features);
  return features;
}

// As release 0.1.0 wrote it.
std::string Version1(const Features& features) {
  return "thresher-spool 1\n" + kKey.message_id + "\n" + tokenizer::InFirstEncoding(features);
}

TEST(SpoolFileBytes, BothVersionsAreRead) {
  const Features features = SomeFeatures();
  for (const std::string& bytes : {EncodeSpoolFile(kKey, features, kSpoolIds), Version1(features)}) {
    const auto file = DecodeSpoolFile(bytes);
    ASSERT_TRUE(file.has_value()) << file.error();
    EXPECT_EQ(file->key.message_id, kKey.message_id);
    EXPECT_EQ(FeaturesOf(*file, kSpoolDecoder).value().ids, features.ids);
  }
  EXPECT_EQ(DecodeSpoolFile(EncodeSpoolFile(kKey, features, kSpoolIds))->key, kKey);
}

TEST(SpoolFileBytes, EveryFlippedBitIsFound) {
  std::string bytes = EncodeSpoolFile(kKey, SomeFeatures(), kSpoolIds);
  for (size_t bit = 0; bit < 8 * bytes.size(); ++bit) {
    bytes[bit / 8] = static_cast<char>(bytes[bit / 8] ^ (1 << bit % 8));
    ASSERT_FALSE(DecodeSpoolFile(bytes).has_value()) << bit;
    bytes[bit / 8] = static_cast<char>(bytes[bit / 8] ^ (1 << bit % 8));
  }
  for (size_t size = 0; size < bytes.size(); ++size)
    ASSERT_FALSE(DecodeSpoolFile(bytes.substr(0, size)).has_value()) << size;
}

// Without a checksum a flipped bit may go unnoticed, but what is taught is sound.
TEST(SpoolFileBytes, FlippedBitsOfVersion1TeachNothingUnsound) {
  Features few = SomeFeatures();
  few.KeepIf([](size_t i) { return i % 40 == 0; });
  std::string bytes = Version1(few);
  size_t refused = 0;
  for (size_t bit = 0; bit < 8 * bytes.size(); ++bit) {
    bytes[bit / 8] = static_cast<char>(bytes[bit / 8] ^ (1 << bit % 8));
    const auto file = DecodeSpoolFile(bytes);
    const auto features =
        file.and_then([](const SpoolFile& read) { return FeaturesOf(read, kSpoolDecoder); });
    refused += features ? 0 : 1;
    if (features) {
      ASSERT_EQ(WrongWithFeatures(*features, kSpoolIds, TextsOfTokens::kAll), std::nullopt) << bit;
    }
    bytes[bit / 8] = static_cast<char>(bytes[bit / 8] ^ (1 << bit % 8));
  }
  EXPECT_GT(refused, 4 * bytes.size());
}

TEST(SpoolFileBytes, UnsoundFeaturesAreRefused) {
  const auto refused = [](const Features& features) -> std::string {
    const auto of_1 = FeaturesOf(*DecodeSpoolFile(Version1(features)), kSpoolDecoder);
    const auto of_2 = FeaturesOf(*DecodeSpoolFile(EncodeSpoolFile(kKey, features, kSpoolIds)), kSpoolDecoder);
    EXPECT_FALSE(of_1.has_value());
    EXPECT_FALSE(of_2.has_value());
    return of_2 ? "" : of_2.error();
  };
  for (const float value : {std::numeric_limits<float>::quiet_NaN(), std::numeric_limits<float>::infinity(),
                            -std::numeric_limits<float>::infinity(), -1.0F, 1e38F, 0.0F, -0.0F}) {
    Features features = SomeFeatures();
    features.values[features.size() / 2] = value;
    EXPECT_THAT(refused(features), HasSubstr("the value of a feature")) << value;
  }
  Features twice = SomeFeatures();
  twice.Add(twice.ids.back(), 0.5F, twice.Text(twice.size() - 1));
  EXPECT_THAT(refused(twice), HasSubstr("a feature twice"));
  Features mismatch = SomeFeatures();
  mismatch.Add(kSpoolIds.Token("body:one"), 0.5F, "body:two");
  EXPECT_THAT(refused(mismatch), HasSubstr("another feature's"));
  Features no_text = SomeFeatures();
  no_text.Add(kSpoolIds.Token("body:one"), 0.5F, "");
  EXPECT_THAT(refused(no_text), HasSubstr("another feature's"));
  Features ngram = SomeFeatures();
  ngram.Add(kSpoolIds.Ngram(7), 0.5F, "text");
  EXPECT_THAT(refused(ngram), HasSubstr("has a text"));
  Features none = SomeFeatures();
  none.Add(kSpoolIds.Ngram(7) ^ uint64_t{1} << 62, 0.5F, "");
  EXPECT_THAT(refused(none), HasSubstr("no byte n-gram of this model has its id"));
}

}  // namespace
}  // namespace thresher::pipeline
