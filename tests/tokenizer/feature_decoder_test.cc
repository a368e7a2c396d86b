#include "tokenizer/feature_decoder.h"

#include <gtest/gtest.h>

#include <random>
#include <string>
#include <string_view>
#include <vector>

#include "tests/tokenizer/spamassassin.h"
#include "tokenizer/feature_codec.h"
#include "tokenizer/message_record.h"
#include "tokenizer/tokenizer.h"

namespace thresher::tokenizer {
namespace {

constexpr uint64_t kDecoderSeed = 77;

Options KeepingMessages() {
  Options options;
  options.keep_message = true;
  options.marks.subject_tag = "[SPAM]";
  return options;
}

std::string EncodedBy(const Features& features) {
  std::string bytes;
  EncodeFeatures(features, IdSpace(kDecoderSeed), &bytes);
  return bytes;
}

void ExpectDecoded(const Features& got, const Features& want) {
  EXPECT_EQ(got.ids, want.ids);
  EXPECT_EQ(got.values, want.values);
  EXPECT_EQ(got.texts, want.texts);
  EXPECT_EQ(got.text_ends, want.text_ends);
  EXPECT_EQ(got.truncated, want.truncated);
  EXPECT_EQ(got.message, want.message);
}

// Tokenised again, a message has the features that it had, and those of a tokenizer that keeps none.
void ExpectMadeAgain(std::string_view message, const Options& options, Kind kind = Kind::kMail,
                     std::string_view user = {}) {
  Options without = options;
  without.keep_message = false;
  Features kept;
  Features plain;
  Tokenizer(options, kDecoderSeed).Tokenize(message, kind, &kept, user);
  Tokenizer(without, kDecoderSeed).Tokenize(message, kind, &plain, user);
  EXPECT_TRUE(plain.message.empty());
  ASSERT_FALSE(kept.message.empty());
  EXPECT_EQ(kept.ids, plain.ids);
  const auto decoded = FeatureDecoder(options, kDecoderSeed).Decode(EncodedBy(kept));
  ASSERT_TRUE(decoded.has_value());
  ExpectDecoded(*decoded, kept);
  EXPECT_FALSE(FeatureDecoder(without, kDecoderSeed).Decode(EncodedBy(kept)).has_value());
  const auto of_features = FeatureDecoder(options, kDecoderSeed).Decode(EncodedBy(plain));
  ASSERT_TRUE(of_features.has_value());
  ExpectDecoded(*of_features, plain);
}

TEST(FeatureDecoder, AMessageHasItsFeaturesAgain) {
  const Options options = KeepingMessages();
  const std::string head = "From: a@example.org\nX-Spam-Flag: YES\n X-Thresher: Spam\nX-Thresher: Ham\n";
  ExpectMadeAgain("", options);
  ExpectMadeAgain("\n\n", options);
  ExpectMadeAgain(head + "Subject: [SPAM] [SPAM] cheap pills\n\nOrder now\n", options);
  ExpectMadeAgain(head + "Subject: cheap pills\n\nOrder now\n", options, Kind::kMail, "alice");
  ExpectMadeAgain(head + "\n", options, Kind::kDocument);
  ExpectMadeAgain("only text", options, Kind::kDocument, "bob");
  // What is left when a header is dropped begins like another one that would be.
  ExpectMadeAgain("X-Spam-Flag: YES\r\rX-Spam-Flag: NO\r\n\r\nbody", options);
}

TEST(FeatureDecoder, AMessageThatALimitCutHasTheSameFeatures) {
  Options options = KeepingMessages();
  options.message_bytes = 100;
  options.tokens = 20;
  const std::string message = "Subject: long\n\n" + std::string(200, 'w') + " tail";
  ExpectMadeAgain(message, options);
  ExpectMadeAgain(message, options, Kind::kDocument);
  Features features;
  Tokenizer(options, kDecoderSeed).Tokenize(message, Kind::kMail, &features);
  EXPECT_TRUE(features.truncated);
  EXPECT_LE(features.message.size(), 102U);
}

TEST(FeatureDecoder, RealMessagesHaveTheirFeaturesAgain) {
  const auto messages = SpamassassinMessages(29);
  if (messages.empty()) GTEST_SKIP() << "THRESHER_CORPORA is not set";
  Options options = KeepingMessages();
  const FeatureDecoder decoder(options, kDecoderSeed);
  Tokenizer tokenizer(options, kDecoderSeed);
  Features features;
  for (const std::string& message : messages) {
    tokenizer.Tokenize(message, Kind::kMail, &features);
    const auto decoded = decoder.Decode(EncodedBy(features));
    ASSERT_TRUE(decoded.has_value());
    ExpectDecoded(*decoded, features);
  }
}

// The message no longer has these features.
TEST(FeatureDecoder, ChangedFeaturesAreEncodedThemselves) {
  Features features;
  Tokenizer(KeepingMessages(), kDecoderSeed).Tokenize("Subject: a\n\nb c\n", Kind::kMail, &features);
  const std::string message = features.message;
  features.KeepIf([](size_t /*i*/) { return true; });
  EXPECT_EQ(features.message, message);
  features.KeepIf([](size_t i) { return i != 0; });
  EXPECT_TRUE(features.message.empty());
  EXPECT_FALSE(MessageIn(EncodedBy(features)).has_value());
}

TEST(FeatureDecoder, AnyBytesAreDecodedOrRefused) {
  const FeatureDecoder decoder(KeepingMessages(), kDecoderSeed);
  Features features;
  Tokenizer(KeepingMessages(), kDecoderSeed).Tokenize("Subject: a\n\nb c\n", Kind::kMail, &features, "carol");
  const std::string whole = EncodedBy(features);
  std::mt19937_64 random(1);
  for (int i = 0; i < 2000; ++i) {
    std::string bytes = whole.substr(0, random() % (whole.size() + 1));
    if (!bytes.empty()) bytes[random() % std::min<size_t>(bytes.size(), 12)] = static_cast<char>(random());
    const auto decoded = decoder.Decode(bytes);
    if (!decoded) continue;
    ASSERT_EQ(decoded->ids.size(), decoded->values.size());
  }
  EXPECT_FALSE(decoder.Decode("").has_value());
  EXPECT_FALSE(decoder.Decode(std::string("\x03\x00\x02", 3)).has_value());  // neither mail nor document
  EXPECT_FALSE(decoder.Decode(std::string("\x03\x00\x00\x05xy", 6)).has_value());  // a user that is not whole
  EXPECT_FALSE(decoder.Decode(std::string("\x03\x00\x00\x01/", 5)).has_value());   // that is none
}

}  // namespace
}  // namespace thresher::tokenizer
