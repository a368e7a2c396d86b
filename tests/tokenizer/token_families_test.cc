// Every family of tokens is documented, and makes tokens from the message of this test.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <iterator>
#include <string>

#include "tests/tokenizer/token_texts.h"
#include "tokenizer/tokenizer.h"

namespace thresher::tokenizer {
namespace {

// Contains tokens of every family. For a new family, add something that it makes tokens from.
constexpr char kMessage[] =
    "From: Alice <alice@example.org>\n"
    "DKIM-Signature: d=example.org; s=k1\n"
    "List-Unsubscribe: <https://example.org/u>\n"
    "Subject: free money\n"
    "MIME-Version: 1.0\n"
    "Content-Type: multipart/mixed; boundary=x\n\n"
    "--x\n"
    "Content-Type: text/html\n\n"
    "<img src=\"http://a.example/b.png\"> click he\u200Bre\n"
    "--x\n"
    "Content-Type: application/zip; name=a.zip\n"
    "Content-Disposition: attachment; filename=a.zip\n\n"
    "bytes\n"
    "--x--\n";

size_t FeatureCount(const Options& options) {
  Features features;
  Tokenizer(options, 1).Tokenize(kMessage, Kind::kMail, &features);
  return features.size();
}

TEST(TokenFamilies, EachIsDocumented) {
  std::ifstream in(THRESHER_SOURCE_DIR "/docs/tokens.md");
  const std::string doc{std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
  for (const TokenFamily& family : kTokenFamilies) {
    const std::string name(family.setting.substr(family.setting.find('.') + 1));
    EXPECT_THAT(doc, testing::HasSubstr("\n## `" + name + "`\n")) << "expected a section";
  }
}

TEST(TokenFamilies, EachAddsFeaturesAndNoTokensHasNone) {
  EXPECT_EQ(FeatureCount(NoTokens()), 0u);
  const size_t all = FeatureCount({});
  for (const TokenFamily& family : kTokenFamilies) {
    Options without;
    without.*family.enabled = false;
    EXPECT_LT(FeatureCount(without), all)
        << family.setting << ": the message of this test has nothing for it";
  }
}

TEST(TokenFamilies, EachAloneMakesFeaturesUnlessItReadsWhatOthersDo) {
  for (const TokenFamily& family : kTokenFamilies) {
    Options alone = NoTokens();
    alone.*family.enabled = true;
    EXPECT_EQ(FeatureCount(alone) == 0, family.reads == TokenFamily::Reads::kOthers) << family.setting;
  }
}

}  // namespace
}  // namespace thresher::tokenizer
