// A family of tokens that is switched by a setting is documented, tested, and off where all are off.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "pipeline/settings/table.h"
#include "tests/tokenizer/token_texts.h"
#include "tokenizer/tokenizer.h"

namespace thresher::pipeline {
namespace {

// Something for every family: a new one adds here what it finds.
constexpr char kMessage[] =
    "From: Alice <alice@example.org>\n"
    "Subject: free money\n"
    "MIME-Version: 1.0\n"
    "Content-Type: multipart/mixed; boundary=x\n\n"
    "--x\n"
    "Content-Type: text/html\n\n"
    "<img src=\"http://a.example/b.png\"> click here\n"
    "--x\n"
    "Content-Type: application/zip; name=a.zip\n"
    "Content-Disposition: attachment; filename=a.zip\n\n"
    "bytes\n"
    "--x--\n";

std::vector<const Setting*> Families() {
  std::vector<const Setting*> families;
  for (const Setting& setting : AllSettings()) {
    const bool is_switch = std::holds_alternative<Setting::FieldOf<bool>>(setting.field);
    if (is_switch && setting.key.starts_with("features.")) families.push_back(&setting);
  }
  return families;
}

size_t FeatureCount(const tokenizer::Options& options) {
  tokenizer::Features features;
  tokenizer::Tokenizer(options, 1).Tokenize(kMessage, tokenizer::Kind::kMail, &features);
  return features.size();
}

TEST(TokenFamilies, EachIsDocumented) {
  std::ifstream in(THRESHER_SOURCE_DIR "/docs/tokens.md");
  const std::string doc{std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
  for (const Setting* family : Families()) {
    const std::string name(family->key.substr(family->key.find('.') + 1));
    EXPECT_THAT(doc, testing::HasSubstr("| `" + name + "` |")) << "in the last column of a line";
  }
}

TEST(TokenFamilies, EachAddsFeaturesAndNoTokensHasNone) {
  EXPECT_EQ(FeatureCount(tokenizer::NoTokens()), 0u);
  const size_t all = FeatureCount({});
  for (const Setting* family : Families()) {
    Settings without;
    ASSERT_TRUE(family->Set(without, "false"));
    EXPECT_LT(FeatureCount(without.features), all)
        << family->key << ": nothing for it in the message of this test";
  }
}

}  // namespace
}  // namespace thresher::pipeline
