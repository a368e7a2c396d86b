#include "pipeline/terminal/character.h"

#include <gtest/gtest.h>

#include <string>

#include "pipeline/terminal/shell_word.h"
#include "pipeline/terminal/token_text.h"

namespace thresher::pipeline {
namespace {

TEST(TakeCharacter, TellsWhatATerminalMayBeGiven) {
  for (const std::string_view safe : {"a", " ", "~", "ä", "日", "א", "😀", "\xc2\xa0"}) {
    std::string_view left = safe;
    EXPECT_TRUE(TakeCharacter(&left).is_safe) << safe;
    EXPECT_EQ(left, "");
  }
  for (const std::string_view unsafe :
       {std::string_view("\0", 1), std::string_view("\n"), std::string_view("\x1b"), std::string_view("\x7f"),
        std::string_view("\x9b"), std::string_view("\xff"), std::string_view("\xc2\x9b"),
        std::string_view("\xc2\x80"), std::string_view("\u061c"), std::string_view("\u200e"),
        std::string_view("\u200f"), std::string_view("\u202a"), std::string_view("\u202e"),
        std::string_view("\u2066"), std::string_view("\u2069"), std::string_view("\u2028"),
        std::string_view("\u2029")}) {
    std::string_view left = unsafe;
    EXPECT_FALSE(TakeCharacter(&left).is_safe) << ::testing::PrintToString(unsafe);
    EXPECT_EQ(left, "");
  }
}

TEST(TakeCharacter, ABrokenCharacterIsItsBytes) {
  std::string_view left = "\xe2\x80x\xe2";
  EXPECT_EQ(TakeCharacter(&left).bytes, "\xe2");
  EXPECT_EQ(TakeCharacter(&left).bytes, "\x80");
  EXPECT_EQ(TakeCharacter(&left).bytes, "x");
  EXPECT_EQ(TakeCharacter(&left).bytes, "\xe2");
  EXPECT_EQ(left, "");
}

TEST(Printable, EscapesBytes) {
  EXPECT_EQ(Printable("ä\x9b[2J\n\u202e\xc2\x9b"), "ä\\x9b[2J\\x0a\\xe2\\x80\\xae\\xc2\\x9b");
}

TEST(ShellWord, QuotesAndEscapes) {
  EXPECT_EQ(ShellWord("a/ä.eml"), "a/ä.eml");
  EXPECT_EQ(ShellWord(""), "''");
  EXPECT_EQ(ShellWord("it's \\"), "'it'\\''s \\'");
  EXPECT_EQ(ShellWord("it's\x9b\u202e"), "$'it\\x27s\\x9b\\xe2\\x80\\xae'");
}

}  // namespace
}  // namespace thresher::pipeline
