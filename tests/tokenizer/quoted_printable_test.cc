// Compares the decoder with GMime's, which has another opinion only on blanks before a line's end.
#include "tokenizer/quoted_printable.h"

#include <gmime/gmime.h>
#include <gtest/gtest.h>

#include <array>
#include <cstddef>
#include <random>
#include <string>
#include <string_view>

namespace thresher::tokenizer {
namespace {

std::string Decoded(std::string_view text, size_t limit = 1000) {
  std::string out;
  AppendQuotedPrintable(text, limit, &out);
  return out;
}

std::string DecodedByGMime(std::string_view text) {
  GMimeEncoding state;
  g_mime_encoding_init_decode(&state, GMIME_CONTENT_ENCODING_QUOTEDPRINTABLE);
  std::string out(g_mime_encoding_outlen(&state, text.size()) + 1, '\0');
  out.resize(g_mime_encoding_flush(&state, text.data(), text.size(), out.data()));
  return out;
}

TEST(QuotedPrintable, BlanksBeforeALineEndDoNotCount) {
  EXPECT_EQ(Decoded("via=  \ngr= \t\r\na=\n now= "), "viagra now");
  EXPECT_EQ(Decoded("a= b = c"), "a= b = c");
}

TEST(QuotedPrintable, OtherwiseAsGMime) {
  constexpr auto kPieces =
      std::to_array<std::string_view>({"=", "=", "4", "1", "e", "F", "\r", "\n", "x", "=3D", "=\r\n"});
  std::mt19937 random(3);
  for (int round = 0; round < 50000; ++round) {
    std::string text;
    for (size_t i = random() % 12; i > 0; --i) text += kPieces[random() % kPieces.size()];
    ASSERT_EQ(Decoded(text), DecodedByGMime(text)) << testing::PrintToString(text);
  }
}

TEST(QuotedPrintable, StopsAtTheLimit) {
  for (const std::string_view text : {"abcdefgh", "=41=41=41=41=41=41", "====x=y", "=\n=\nabcdefgh"})
    EXPECT_EQ(Decoded(text, 5), Decoded(text).substr(0, 5));
}

}  // namespace
}  // namespace thresher::tokenizer
