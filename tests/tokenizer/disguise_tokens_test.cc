#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <random>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "tests/tokenizer/token_texts.h"

namespace thresher::tokenizer {
namespace {

using ::testing::AllOf;
using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::IsSupersetOf;
using ::testing::Not;

std::set<std::string> DisguiseTokensOf(std::string_view body, Kind kind = Kind::kDocument) {
  Options options = NoTokens();
  options.disguises = options.headers = kind == Kind::kMail;
  options.disguises = true;
  std::set<std::string> tokens;
  for (const std::string& token : TokenTexts(body, options, kind)) {
    if (token.starts_with("disguise:")) tokens.insert(token);
  }
  return tokens;
}

TEST(DisguiseTokens, InvisibleCharacters) {
  EXPECT_THAT(DisguiseTokensOf("pass\u200Bword \u2060"),
              IsSupersetOf({"disguise:body:zero-width:2", "disguise:body:zero-width-in-word"}));
  EXPECT_THAT(DisguiseTokensOf("a \u200C b"), Not(Contains("disguise:body:zero-width-in-word")));
  // NOLINTNEXTLINE(misc-misleading-bidirectional)
  EXPECT_THAT(DisguiseTokensOf("gpj.\u202Eexe"), Contains("disguise:body:bidirectional"));
  EXPECT_THAT(DisguiseTokensOf("in\u00ADvoice"), Contains("disguise:body:soft-hyphen"));
  EXPECT_THAT(DisguiseTokensOf("buy\u3164now"), Contains("disguise:body:filler"));
  EXPECT_THAT(DisguiseTokensOf("\U000E0041"), Contains("disguise:body:tag-character"));
  EXPECT_THAT(DisguiseTokensOf("\U0001D400"), Contains("disguise:body:styled-letter"));
}

TEST(DisguiseTokens, ControlCharactersWithinWords) {
  Options options = NoTokens();
  options.disguises = options.headers = options.body_words = true;
  const std::string mail =
      "Subject: =?utf-8?q?vi=00agra?=\n\nbuy vi\x01"
      "agra\n";
  EXPECT_THAT(TokenTexts(mail, options), IsSupersetOf({"subject:viagra", "body:viagra",
                                                       "disguise:subject:control", "disguise:body:control"}));
  EXPECT_THAT(TokenTexts("Subject: a \x01\n\n\x1B[1m bold\x1B[0m\n", options),
              AllOf(Contains("body:bold"), Not(Contains(HasSubstr(":control")))));
  options.disguises = false;
  EXPECT_THAT(TokenTexts(mail, options), Not(Contains(HasSubstr(":control"))));
}

TEST(DisguiseTokens, WordsOfTwoScriptsAreReadAsTheyLook) {
  const auto tokens = DisguiseTokensOf("your p\u0430yp\u0430l account");  // with Cyrillic letters
  EXPECT_THAT(tokens, IsSupersetOf({"disguise:body:mixed-scripts", "disguise:word:paypal"}));
  EXPECT_EQ(DisguiseTokensOf("\u0430pple"), DisguiseTokensOf("xyz \u0430pple.")) << "at the start, too";
}

// The scan skips ASCII in one step; here each character is read.
TEST(DisguiseTokens, AsciiIsSkippedAsIfItWereRead) {
  constexpr std::string_view kCyrillic = "\u0430";
  constexpr std::string_view kJoiner = "\u200B";
  constexpr auto kPieces =
      std::to_array<std::string_view>({"a", "Z", " ", "1", "\u00E9", kCyrillic, kJoiner});
  const auto is_letter = [](std::string_view piece) { return piece == "a" || piece == "Z"; };
  std::mt19937 random(9);
  for (int round = 0; round < 20000; ++round) {
    std::vector<std::string_view> pieces(1 + random() % 12);
    for (std::string_view& piece : pieces) piece = kPieces[random() % kPieces.size()];
    std::string text;
    bool has_ascii = false;
    bool has_other = false;
    bool is_mixed = false;
    bool is_joined = false;
    for (size_t i = 0; i < pieces.size(); ++i) {
      text += pieces[i];
      if (pieces[i] == kJoiner) {
        is_joined = is_joined || (has_ascii && i + 1 < pieces.size() && is_letter(pieces[i + 1]));
        continue;
      }
      const bool is_word = is_letter(pieces[i]) || pieces[i] == kCyrillic;
      has_ascii = is_word && (has_ascii || is_letter(pieces[i]));
      has_other = is_word && (has_other || pieces[i] == kCyrillic);
      is_mixed = is_mixed || (has_ascii && has_other);
    }
    const auto tokens = DisguiseTokensOf(text);
    ASSERT_EQ(tokens.contains("disguise:body:mixed-scripts"), is_mixed) << text;
    ASSERT_EQ(tokens.contains("disguise:body:zero-width-in-word"), is_joined) << text;
  }
}

TEST(DisguiseTokens, HonestTextHasNone) {
  for (const char* text :
       {"plain text", "Gr\u00FC\u00DFe aus K\u00F6ln", "\u043F\u0440\u0438\u0432\u0435\u0442 from Moscow",
        "\u4F60\u597D world", "\u2460 \uFF3B\u4E00\uFF3D"}) {
    EXPECT_THAT(DisguiseTokensOf(text), IsEmpty()) << text;
  }
}

TEST(DisguiseTokens, SubjectsAndNames) {
  EXPECT_THAT(DisguiseTokensOf("From: \u0410pple <a@b.example>\nSubject: in\u200Bvoice\n\n", Kind::kMail),
              IsSupersetOf({"disguise:from:mixed-scripts", "disguise:subject:zero-width:1"}));
}

TEST(DisguiseTokens, Hosts) {
  // It shows as "apple.com" in Cyrillic letters; in a skeleton their l is i, and each m is rn.
  EXPECT_THAT(DisguiseTokensOf("http://xn--80ak6aa92e.com/"), Contains("disguise:host:appie.corn"));
  EXPECT_THAT(DisguiseTokensOf("http://xn--mnchen-3ya.de/"), IsEmpty());
  EXPECT_THAT(DisguiseTokensOf("http://plain.example/ http://xn--999999999.example/ http://xn--/"),
              IsEmpty());
}

TEST(DisguiseTokens, HostileBytes) {
  std::mt19937_64 random(5);
  for (int i = 0; i < 2000; ++i) {
    std::string text;
    for (size_t n = random() % 200; n > 0; --n)
      text += random() % 2 == 0   ? "a"
              : random() % 2 == 0 ? "\u0430"
                                  : std::string(1, static_cast<char>(random()));
    DisguiseTokensOf(text);
  }
  std::string many;
  for (int i = 0; i < 20000; ++i) many += "p\u0430y" + std::to_string(i) + "x\u0430y ";
  EXPECT_LT(DisguiseTokensOf(many).size(), 100u);
}

}  // namespace
}  // namespace thresher::tokenizer
