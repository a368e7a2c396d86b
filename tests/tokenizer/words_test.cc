// Compares the ASCII fast path with ICU: exhaustively on short strings, randomly on long and mixed ones.
// Words of other languages, tricks of spam, hostile text.
#include "tokenizer/words.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <random>
#include <string>
#include <vector>

#include "tests/tokenizer/spamassassin.h"

namespace thresher::tokenizer {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

class WordsTest : public testing::Test {
 protected:
  const std::vector<std::string_view>& Split(std::string_view text) { return splitter_.Split(text); }

  // Returns false, and records a failure, if the two paths differ.
  bool PathsAgree(std::string_view text) {
    const bool agree = splitter_.Split(text) == general_.SplitByIcu(text);
    EXPECT_TRUE(agree) << testing::PrintToString(text)
                       << "\nfast: " << testing::PrintToString(splitter_.Split(text))
                       << "\nICU:  " << testing::PrintToString(general_.SplitByIcu(text));
    return agree;
  }

  WordSplitter splitter_;
  WordSplitter general_;
};

TEST_F(WordsTest, AsciiWordsAreFoldedAndHeldTogetherByTheirPunctuation) {
  EXPECT_THAT(Split("Hello, World"), ElementsAre("hello", "world"));
  EXPECT_THAT(Split("don't foo_bar 3.14 1,000;2 U.S.A."),
              ElementsAre("don't", "foo_bar", "3.14", "1,000;2", "u.s.a"));
  EXPECT_THAT(Split("a,b a.1 1.a 'quoted' x- -y"),
              ElementsAre("a", "b", "a", "1", "1", "a", "quoted", "x", "y"));
  EXPECT_THAT(Split("joe@example.com 12:30"), ElementsAre("joe", "example.com", "12", "30"));
  EXPECT_THAT(Split(""), IsEmpty());
  EXPECT_THAT(Split(" \t\r\n.,;-_"), IsEmpty());
}

TEST_F(WordsTest, RunsOfSpamPunctuationAreTokensCutAtThree) {
  EXPECT_THAT(Split("Win $$$$$ now!!"), ElementsAre("win", "$$$", "now", "!!"));
  EXPECT_THAT(Split("$100 ?!"), ElementsAre("$", "100", "?", "!"));
  EXPECT_THAT(Split("gr\u00FC\u00DFe\uFF01\uFF01\uFF01\uFF01"), ElementsAre("gr\u00FCsse", "!!!"));
}

TEST_F(WordsTest, OtherScripts) {
  EXPECT_THAT(Split("\u00C4rger F\u00DCR \uFB01nale"), ElementsAre("\u00E4rger", "f\u00FCr", "finale"));
  EXPECT_THAT(Split("\u4ECA\u5929\u5929\u6C14\u5F88\u597D"),  // by dictionary
              ElementsAre("\u4ECA\u5929", "\u5929\u6C14", "\u5F88\u597D"));
  EXPECT_THAT(Split("\u0421\u041A\u0418\u0414\u041A\u0410"),
              ElementsAre("\u0441\u043A\u0438\u0434\u043A\u0430"));
  EXPECT_THAT(Split("\uFF26\uFF32\uFF25\uFF25"), ElementsAre("free"));  // full width
}

TEST_F(WordsTest, ThaiAndLaoVowelsAreWrittenInTwoWays) {
  const std::string work = "\u0E17\u0E33\u0E07\u0E32\u0E19";
  const std::string water = "\u0E99\u0EC9\u0EB3";
  for (const std::string_view text :
       {"\u0E1C\u0E21\u0E17\u0E33\u0E07\u0E32\u0E19", "\u0E1C\u0E21\u0E17\u0E4D\u0E32\u0E07\u0E32\u0E19"}) {
    EXPECT_THAT(Split(text), ElementsAre("\u0E1C\u0E21", work)) << text;
  }
  for (const std::string_view text :
       {"\u0E99\u0EC9\u0EB3\u0E94\u0EB7\u0EC8\u0EA1", "\u0E99\u0EC9\u0ECD\u0EB2\u0E94\u0EB7\u0EC8\u0EA1"}) {
    EXPECT_THAT(Split(text), ElementsAre(water, "\u0E94\u0EB7\u0EC8\u0EA1")) << text;
  }
  EXPECT_THAT(Split("\u0E99\u0ECD"), ElementsAre("\u0E99\u0ECD"));
}

TEST_F(WordsTest, InvisibleCharactersDoNotSplitAWord) {
  EXPECT_THAT(Split("via\u00ADgra v\u200Di\u2060agra"), ElementsAre("viagra", "viagra"));
}

TEST_F(WordsTest, InvalidUtf8SplitsWords) {
  EXPECT_THAT(Split("ab\xFF"
                    "cd \xC3"),
              ElementsAre("ab", "cd"));
}

TEST_F(WordsTest, LongWordsAreCutAtACharacter) {
  EXPECT_THAT(Split(std::string(100, 'A')), ElementsAre(std::string(64, 'a')));
  std::string accents;
  for (int i = 0; i < 50; ++i) accents += "\u00E9";
  const auto& words = Split("x" + accents);
  ASSERT_EQ(words.size(), 1U);
  EXPECT_EQ(words[0].size(), 63U);
}

TEST_F(WordsTest, PathsAgreeOnEveryShortAsciiString) {
  // A byte of every class, and all pairs of bytes.
  constexpr std::string_view kBytes = "aB1_.',;:@ \r\n!$-\"";
  std::string text;
  for (size_t i = 0; i < kBytes.size() * kBytes.size() * kBytes.size() * kBytes.size(); ++i) {
    text.clear();
    for (size_t rest = i, k = 0; k < 4; ++k, rest /= kBytes.size()) text += kBytes[rest % kBytes.size()];
    if (!PathsAgree(text)) return;
  }
  for (int a = 0; a < 128; ++a) {
    for (int b = 0; b < 128; ++b) {
      if (!PathsAgree(std::string{'x', static_cast<char>(a), static_cast<char>(b), '1'})) return;
    }
  }
}

TEST_F(WordsTest, PathsAgreeOnRandomMixtures) {
  constexpr auto kPieces = std::to_array<std::string_view>({"a",
                                                            "B",
                                                            "1",
                                                            "_",
                                                            ".",
                                                            "'",
                                                            ",",
                                                            " ",
                                                            "\n",
                                                            "\r\n",
                                                            "\t",
                                                            "!",
                                                            "$",
                                                            "some words of plain text that are long ",
                                                            "\u00E9",
                                                            "\u0301",
                                                            "\u4E2D",
                                                            "\u56FD",
                                                            "\u00B4",
                                                            "\uFB01",
                                                            "\u200D",
                                                            "\u0E01",
                                                            "\uFF01",
                                                            "\xFF",
                                                            "\xE4\xB8",
                                                            "\u3099",
                                                            "\uFF76\uFF9E",
                                                            "\u05D0",
                                                            "\"",
                                                            "\u30A2",
                                                            "\U0001F600",
                                                            std::string_view("\0", 1)});
  std::mt19937_64 random(7);
  for (int round = 0; round < 20000; ++round) {
    std::string text;
    for (size_t i = random() % 16; i > 0; --i) text += kPieces[random() % kPieces.size()];
    if (!PathsAgree(text)) return;
  }
}

TEST_F(WordsTest, PathsAgreeOnMail) {
  const std::vector<std::string> messages = SpamassassinMessages(40);
  if (messages.empty()) GTEST_SKIP() << "THRESHER_CORPORA is not set";
  for (const std::string& message : messages) {
    if (!PathsAgree(message)) return;
  }
}

TEST_F(WordsTest, PilesOfAccentsAreCut) {
  // Canonical ordering of n accents takes n² steps: without the limit this would take minutes.
  std::string pile = "a";
  for (int i = 0; i < 200000; ++i) pile += i % 2 == 0 ? "\u0301" : "\u0327";
  EXPECT_EQ(Split(pile).size(), 1U);
}

TEST_F(WordsTest, ReusedSplitterForgetsTheLastText) {
  Split("\u4ECA\u5929 !!! abc");
  EXPECT_THAT(Split("! x"), ElementsAre("!", "x"));
}

}  // namespace
}  // namespace thresher::tokenizer
