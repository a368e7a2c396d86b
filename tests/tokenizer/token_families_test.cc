// Every family of tokens is documented, and makes tokens from the message of this test.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <iterator>
#include <regex>
#include <string>
#include <string_view>

#include "tests/tokenizer/token_texts.h"
#include "tokenizer/token_fields.h"
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

std::string Documentation() {
  std::ifstream in(THRESHER_SOURCE_DIR "/docs/tokens.md");
  return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
}

TEST(TokenFamilies, EachIsDocumented) {
  const std::string doc = Documentation();
  for (const TokenFamily& family : kTokenFamilies) {
    const std::string name(family.setting.substr(family.setting.find('.') + 1));
    EXPECT_THAT(doc, testing::HasSubstr("\n## `" + name + "`\n")) << "expected a section";
  }
}

// The first column of a table has tokens.
TEST(TokenFamilies, TheirFieldsAreListed) {
  const std::string doc = Documentation();
  const std::regex row("\n\\| (`[a-z-]+:[^|]*)\\|");
  const std::regex token("`([a-z-]+):");
  size_t tokens = 0;
  for (std::sregex_iterator each(doc.begin(), doc.end(), row), end; each != end; ++each) {
    const std::string cell = (*each)[1];
    for (std::sregex_iterator one(cell.begin(), cell.end(), token); one != end; ++one, ++tokens)
      EXPECT_TRUE(IsTokenField((*one)[1].str())) << cell;
  }
  EXPECT_GT(tokens, 100U);
  for (const std::string_view field : kTokenFields) {
    const std::string quoted = "`" + std::string(field);
    EXPECT_THAT(doc, testing::AnyOf(testing::HasSubstr(quoted + ":"), testing::HasSubstr(quoted + "`")));
  }
  for (const std::string& text : TokenTexts(kMessage, {}))
    EXPECT_TRUE(IsTokenField(text.substr(0, text.find(':')))) << text;
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
