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
using testing::SizeIs;

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

TEST_F(WordsTest, ControlCharactersDoNotSplitAWord) {
  for (const char control : {'\0', '\x01', '\x08', '\x0E', '\x1B', '\x1F', '\x7F'}) {
    const std::string c(1, control);
    EXPECT_THAT(Split("buy vi" + c + c + "agra 3." + c + "14 !" + c + "! " + c),
                ElementsAre("buy", "viagra", "3.14", "!!"));
    EXPECT_TRUE(splitter_.HadControlInWord());
    EXPECT_THAT(Split(c + "gr" + c + "\u00FC\u00DFe"), ElementsAre("gr\u00FCsse"));
    EXPECT_TRUE(splitter_.HadControlInWord());
    EXPECT_THAT(Split(c + "a " + c + " b" + c + "."), ElementsAre("a", "b"));
    EXPECT_FALSE(splitter_.HadControlInWord());
  }
  EXPECT_THAT(Split("vi\u0080ag\u009Fra"), ElementsAre("viagra"));
  EXPECT_THAT(Split("a\tb\nc\vd\fe\rf\u0085g"), ElementsAre("a", "b", "c", "d", "e", "f", "g"));
  EXPECT_FALSE(splitter_.HadControlInWord());
}

// They look like blanks, but within a syllable of old Korean they stand for a letter.
TEST_F(WordsTest, HangulFillersSplitWords) {
  for (const std::string filler : {"\u3164", "\uFFA0", "\u115F", "\u1160"})
    EXPECT_THAT(Split("buy" + filler + "cheap" + filler + filler + "viagra"),
                ElementsAre("buy", "cheap", "viagra"));
  EXPECT_THAT(Split("\u115F\u1161\u11A8 \u1100\u1160\u11A8"), SizeIs(2));
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
  constexpr std::string_view kBytes = "aB1_.',;:@ \r\n!$-\"\x01";
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
                                                            "\x01",
                                                            "\u0081",
                                                            "\u3164",
                                                            "\u1160",
                                                            "\u1100",
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
  std::string with_controls = "a";
  for (int i = 0; i < 200000; ++i) with_controls += i % 3 == 0 ? "\x01" : i % 3 == 1 ? "\u0301" : "\u0327";
  EXPECT_EQ(Split(with_controls).size(), 1U);
}

TEST_F(WordsTest, ReusedSplitterForgetsTheLastText) {
  Split("\u4ECA\u5929 !!! abc");
  EXPECT_THAT(Split("! x"), ElementsAre("!", "x"));
}

}  // namespace
}  // namespace thresher::tokenizer
