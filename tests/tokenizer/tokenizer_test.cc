#include "tokenizer/tokenizer.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unicode/unistr.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <fstream>
#include <set>
#include <sstream>

#include "tests/tokenizer/filtered.h"
#include "tests/tokenizer/hostile_text.h"
#include "tests/tokenizer/token_texts.h"
#include "tokenizer/message_head.h"

namespace thresher::tokenizer {
namespace {

// Whether `text` is valid UTF-8 without control bytes: tokens are printed as they are.
bool IsPrintable(const std::string& text) {
  std::string back;
  icu::UnicodeString::fromUTF8(text).toUTF8String(back);
  return back == text &&
         std::none_of(text.begin(), text.end(), [](char c) { return (c >= 0 && c < ' ') || c == '\x7f'; });
}

void ExpectWellFormed(const Features& features) {
  ASSERT_EQ(features.values.size(), features.size());
  ASSERT_EQ(features.text_ends.size(), features.size());
  ASSERT_EQ(std::set<uint64_t>(features.ids.begin(), features.ids.end()).size(), features.size());
  for (const float value : features.values) ASSERT_TRUE(std::isfinite(value) && value > 0);
  for (size_t i = 0; i < features.size(); ++i) {
    const std::string text(features.Text(i));
    ASSERT_EQ(text.empty(), IdSpace::IsNgram(features.ids[i]));
    ASSERT_LE(text.size(), 128U);
    ASSERT_TRUE(IsPrintable(text)) << ::testing::PrintToString(text);
  }
}

void ExpectSameFeatures(const Features& a, const Features& b) {
  ASSERT_EQ(a.ids, b.ids);
  ASSERT_EQ(a.values, b.values);
  ASSERT_EQ(a.texts, b.texts);
  ASSERT_EQ(a.truncated, b.truncated);
}

TEST(Tokenizer, AnyBytesGiveWellFormedFeatures) {
  Tokenizer tokenizer({}, 1);
  Features features;
  for (uint64_t seed = 0; seed < 3000; ++seed) {
    const std::string message = HostileText(seed).Message(60);
    for (const Kind kind : {Kind::kMail, Kind::kDocument}) {
      tokenizer.Tokenize(message, kind, &features);
      ASSERT_NO_FATAL_FAILURE(ExpectWellFormed(features)) << seed;
    }
  }
}

// A message has no effect on the features of the next one.
TEST(Tokenizer, ReusedGivesWhatAFreshOneGives) {
  Tokenizer reused({}, 1);
  Features features;
  Features fresh;
  for (uint64_t seed = 0; seed < 300; ++seed) {
    const std::string message = HostileText(seed).Message(60);
    reused.Tokenize(message, Kind::kMail, &features);
    Tokenizer({}, 1).Tokenize(message, Kind::kMail, &fresh);
    ASSERT_NO_FATAL_FAILURE(ExpectSameFeatures(features, fresh)) << seed;
  }
}

TEST(Tokenizer, FilteredMessageHasTheSameFeatures) {
  Tokenizer tokenizer({}, 1);
  Features plain;
  Features filtered;
  for (uint64_t seed = 0; seed < 3000; ++seed) {
    const std::string message = HostileText(seed).Message(30);
    tokenizer.Tokenize(message, Kind::kMail, &plain);
    tokenizer.Tokenize(Filtered(message), Kind::kMail, &filtered);
    ASSERT_NO_FATAL_FAILURE(ExpectSameFeatures(plain, filtered)) << seed << message;
  }
}

TEST(Tokenizer, IdsOfTokensAreTheirTextsUnderTheSeed) {
  Features features;
  Tokenizer({}, 99).Tokenize("Subject: a b\n\nc d\n", Kind::kMail, &features);
  const IdSpace ids(99);
  for (size_t i = 0; i < features.size(); ++i) {
    if (IdSpace::IsNgram(features.ids[i])) continue;
    EXPECT_EQ(ids.Token(features.Text(i)), features.ids[i]);
  }
  EXPECT_EQ(features.ids[0], ids.Ngram(0x5375626A));  // "Subj"
}

TEST(Tokenizer, NormalisedValuesHaveLengthOne) {
  Features features;
  Tokenizer({}, 1).Tokenize("Subject: a b\n\nc d\n", Kind::kMail, &features);
  double sum = 0;
  for (const float value : features.values) sum += static_cast<double>(value) * static_cast<double>(value);
  EXPECT_NEAR(sum, 1, 1e-5);
}

TEST(Tokenizer, LimitsTruncateAndSaySo) {
  std::string message = "Subject: x\n\n";
  for (int i = 0; i < 5000; ++i) message.append("word").append(std::to_string(i)).append(" ");
  Features features;
  Tokenizer({}, 1).Tokenize(message, Kind::kMail, &features);
  EXPECT_FALSE(features.truncated);
  Options few;
  few.tokens = 100;
  Tokenizer(few, 1).Tokenize(message, Kind::kMail, &features);
  EXPECT_TRUE(features.truncated);
  EXPECT_EQ(features.size(), 100U);
  Options short_message;
  short_message.message_bytes = 1000;
  for (const Kind kind : {Kind::kMail, Kind::kDocument}) {
    Tokenizer(short_message, 1).Tokenize(message, kind, &features);
    EXPECT_TRUE(features.truncated);
  }
}

// The limit on decoded bytes shows whether the body was read.
TEST(Tokenizer, ABodyThatNoFamilyWantsIsNotRead) {
  const std::string message = "Subject: one\n\n" + std::string(100, 'x');
  Options options = NoTokens();
  options.headers = true;
  options.decoded_bytes = 10;
  for (const Kind kind : {Kind::kMail, Kind::kDocument}) {
    Features features;
    options.body_words = true;
    Tokenizer(options, 1).Tokenize(message, kind, &features);
    EXPECT_TRUE(features.truncated);
    options.body_words = false;
    Tokenizer(options, 1).Tokenize(message, kind, &features);
    EXPECT_FALSE(features.truncated);
    EXPECT_EQ(features.size() > 0, kind == Kind::kMail) << "headers are read all the same";
  }
}

TEST(Tokenizer, EmptyMessage) {
  Features features;
  Tokenizer({}, 1).Tokenize("", Kind::kDocument, &features);
  EXPECT_FALSE(features.truncated);
  ASSERT_NO_FATAL_FAILURE(ExpectWellFormed(features));
}

TEST(Tokenizer, RealMailIsWellFormedAndFilterable) {
  const char* corpora = std::getenv("THRESHER_CORPORA");  // NOLINT(concurrency-mt-unsafe)
  if (corpora == nullptr) GTEST_SKIP() << "THRESHER_CORPORA is not set";
  const std::string folder = std::string(corpora) + "/spamassassin/full/";
  std::ifstream index(folder + "index");
  if (!index) GTEST_SKIP() << "there is no " << folder << "index";
  Tokenizer tokenizer({}, 1);
  Features features;
  Features filtered;
  std::string label;
  std::string path;
  for (int i = 0; index >> label >> path; ++i) {
    if (i % 10 != 0) continue;
    std::stringstream message;
    message << std::ifstream(folder + path, std::ios::binary).rdbuf();
    tokenizer.Tokenize(message.str(), Kind::kMail, &features);
    ASSERT_NO_FATAL_FAILURE(ExpectWellFormed(features)) << path;
    tokenizer.Tokenize(Filtered(message.str()), Kind::kMail, &filtered);
    ASSERT_NO_FATAL_FAILURE(ExpectSameFeatures(features, filtered)) << path;
  }
}

}  // namespace
}  // namespace thresher::tokenizer
