// Choice and conversion of charsets, RFC 2047, and hostile charset names.
#include "tokenizer/charset.h"

#include <gtest/gtest.h>

#include <array>
#include <random>
#include <string>

#include "tests/tokenizer/spamassassin.h"
#include "tokenizer/utf8.h"

namespace thresher::tokenizer {
namespace {

class CharsetTest : public testing::Test {
 protected:
  std::string ToUtf8(std::string_view bytes, std::string_view declared) {
    return std::string(converter_.ToUtf8(bytes, declared));
  }
  std::string DecodeHeader(std::string_view value) { return std::string(converter_.DecodeHeader(value)); }

  CharsetConverter converter_;
};

TEST_F(CharsetTest, AsciiAndUtf8AreNotCopied) {
  constexpr std::string_view kAscii = "plain text";
  constexpr std::string_view kUtf8 = "gr\u00FC\u00DFe";
  for (const std::string_view declared : {"", "utf-8", "us-ascii", "iso-8859-1", "nonsense"}) {
    EXPECT_EQ(converter_.ToUtf8(kAscii, declared).data(), kAscii.data()) << declared;
    EXPECT_EQ(converter_.ToUtf8(kUtf8, declared).data(), kUtf8.data()) << declared;
  }
}

TEST_F(CharsetTest, DeclaredCharsets) {
  EXPECT_EQ(ToUtf8("caf\xE9 \x80", "ISO-8859-1"), "caf\u00E9 \u20AC");  // read as windows-1252
  EXPECT_EQ(ToUtf8("\xD6\xD0\xB9\xFA", "GB2312"), "\u4E2D\u56FD");
  EXPECT_EQ(ToUtf8("\xE9\x46", "gb2312"), "\u9555");  // not in GB2312, but in GBK
  EXPECT_EQ(ToUtf8("\xA4\xA4\xB0\xEA", "big5"), "\u4E2D\u570B");
  EXPECT_EQ(ToUtf8("\x82\xB1\x82\xF1", "shift_jis"), "\u3053\u3093");
  EXPECT_EQ(ToUtf8("\xD0\xD2\xC9", "koi8-r"), "\u043F\u0440\u0438");
}

TEST_F(CharsetTest, NamesThatBrowsersKnow) {
  for (const char* name : {"euc-kr", "cp949", "uhc", "UHC", "cseuckr", "ks_c_5601-1987"})
    EXPECT_EQ(ToUtf8("\x8C\x63\xB9\xE6", name), "\uB620\uBC29") << name;  // the first is not in KS X 1001
  for (const char* name :
       {"gb2312", "gb_2312", "csgb2312", "euc-cn", "gb_2312-80", "chinese", "iso-ir-58", "cn-gb"})
    EXPECT_EQ(ToUtf8("\xE9\x46\xD2\xBB", name), "\u9555\u4E00") << name;  // the first is only in GBK
  for (const char* name : {"big5", "cn-big5", "csbig5", "x-x-big5"})
    EXPECT_EQ(ToUtf8("\x87\x65\xA4\x40", name), "\u56FB\u4E00") << name;  // the first is only in HKSCS
  for (const char* name : {"iso-8859-8-i", "csiso88598i", "logical"})
    EXPECT_EQ(ToUtf8("\xF9\xC8\xEC", name), "\u05E9\u05B8\u05DC") << name;
  for (const char* name : {"csiso88598e", "visual"})
    EXPECT_EQ(ToUtf8("\xF9\xEC", name), "\u05E9\u05DC") << name;
  EXPECT_EQ(ToUtf8("\xEC\xE8\xF0\xA4", "x-mac-ukrainian"), "\u043C\u0438\u0440\u00A7");
  for (const char* name : {"windows-874", "dos-874", "iso8859-11"})
    EXPECT_EQ(ToUtf8("\xC3\xD1\xA1\x80", name), "\u0E23\u0E31\u0E01\u20AC") << name;
  for (const char* name : {"latin1", "l1", "iso_8859-1:1987", "csISOLatin1", "cp819"})
    EXPECT_EQ(ToUtf8("caf\xE9\x80", name), "caf\u00E9\u20AC") << name;
  for (const char* name : {"latin5", "l5", "iso88599"})
    EXPECT_EQ(ToUtf8("\xFD\x80", name), "\u0131\u20AC") << name;
  EXPECT_EQ(ToUtf8("\xCD\xC9\xD2", "koi"), "\u043C\u0438\u0440");
}

TEST_F(CharsetTest, TextHiddenInAscii) {
  EXPECT_EQ(ToUtf8("\x1B$B$3$s\x1B(B", "iso-2022-jp"), "\u3053\u3093");
  EXPECT_EQ(ToUtf8("~{VPND~}", "hz-gb-2312"), "\u4E2D\u6587");
  EXPECT_EQ(ToUtf8("+Ti1W/Q-", "utf-7"), "\u4E2D\u56FD");
  EXPECT_EQ(ToUtf8(std::string_view("a\0b\0", 4), "utf-16le"), "ab");
  EXPECT_EQ(ToUtf8("plainly no UTF-16", "utf-16"), "plainly no UTF-16");
  // Letters with NUL as the first byte do not turn the order over.
  EXPECT_EQ(ToUtf8(std::string_view("a\0\0\x01\0\x01", 6), "utf-16"), "a\u0100\u0100");
  for (const std::string_view name : {"utf-16", "UTF-16", "ucs-2"}) {
    EXPECT_EQ(ToUtf8(std::string_view("a\0b\0\x2D\x4E", 6), name), "ab\u4E2D");
    EXPECT_EQ(ToUtf8(std::string_view("\0a\0b\x4E\x2D", 6), name), "ab\u4E2D");
    EXPECT_EQ(ToUtf8(std::string_view("\xFE\xFF\0a\x4E\0", 6), name), "a\u4E00");
    EXPECT_EQ(ToUtf8(std::string_view("\0\x4E\x4E\0", 4), name), "\u4E00N");  // as many NULs in each place
  }
}

TEST_F(CharsetTest, AByteOrderMarkCountsMoreThanAName) {
  const std::string_view bytes("\xFF\xFEh\0i\0", 6);
  for (const std::string_view declared : {"", "utf-8", "iso-8859-1"}) {
    CharsetConverter charset;
    const std::string text(charset.ToUtf8(bytes, declared));
    EXPECT_TRUE(text.ends_with("hi")) << declared << ": " << text;
  }
}

// A mail program that obeys the declared charset shows the text behind the mark.
TEST_F(CharsetTest, AMarkAndANulHideNoAscii) {
  const std::string page = std::string("\xFF\xFE<!--\0-->", 10) + "<p>buy viagra now</p>";
  for (const std::string_view declared : {"", "utf-8", "iso-8859-1", "us-ascii"})
    EXPECT_TRUE(ToUtf8(page, declared).ends_with("<p>buy viagra now</p>")) << declared;
  EXPECT_TRUE(DecodeHeader("=?utf-8?q?=FF=FEbuy=20viagra=00?=").find("buy viagra") != std::string::npos);
}

TEST_F(CharsetTest, Utf16NeedsNoNul) {
  EXPECT_EQ(ToUtf8("\x70\x4E\x6F\x83\xC1\x54", "utf-16le"), "\u4E70\u836F\u54C1");
  EXPECT_EQ(ToUtf8("\x4E\x70\x83\x6F\x54\xC1", "utf-16be"), "\u4E70\u836F\u54C1");
  EXPECT_EQ(ToUtf8("caf\u00E9", "utf-16"), "caf\u00E9");
}

// Bytes that nobody sees, as in a comment, do not choose the charset of the rest.
TEST_F(CharsetTest, WrongBytesDoNotHideTheOthers) {
  const std::string wrong = "<!--" + std::string(3, '\xFF') + "-->";
  EXPECT_TRUE(
      ToUtf8(wrong + "\u043A\u0443\u043F\u0438\u0442\u0435 buy", "utf-8").ends_with("\u0442\u0435 buy"));
  for (const std::string escape : {"\x1b$)C\x0e", "\x1b$B", "\x1b$)A\x0e"}) {
    const std::string page = "<!--\xE9\xE9" + escape + "-->buy viagra";
    for (const std::string_view declared : {"", "utf-8", "us-ascii", "x-unknown"})
      EXPECT_TRUE(ToUtf8(page, declared).ends_with("buy viagra")) << declared;
  }
}

TEST_F(CharsetTest, TheMarkOfUtf8IsNoText) {
  for (const std::string_view declared : {"", "utf-8", "iso-8859-1", "big5", "gb18030", "x-unknown"}) {
    EXPECT_EQ(ToUtf8("\xEF\xBB\xBF<html>caf\xC3\xA9", declared), "<html>caf\u00E9") << declared;
    EXPECT_EQ(ToUtf8("\xEF\xBB\xBFhi", declared), "hi") << declared;
  }
  EXPECT_EQ(ToUtf8("\xEF\xBB\xBF", ""), "");
  EXPECT_EQ(ToUtf8("a\uFEFF", ""), "a\uFEFF");
  EXPECT_EQ(DecodeHeader("=?utf-8?q?=EF=BB=BFa?="), "\uFEFFa");  // where it is a disguise
}

TEST_F(CharsetTest, WrongDeclarationsAreOverruled) {
  EXPECT_EQ(ToUtf8("caf\u00E9", "iso-8859-1"), "caf\u00E9");
  EXPECT_EQ(ToUtf8("caf\xE9", "us-ascii"), "caf\u00E9");
  EXPECT_EQ(ToUtf8("caf\xE9 con leche", "utf-8"), "caf\u00E9 con leche");
  EXPECT_EQ(ToUtf8("\u4E2D\u56FD\u4EBA", "gb2312"), "\u4E2D\u56FD\u4EBA");  // fails as GB18030
  const std::string chinese = "\xC4\xFA\xBA\xC3\xA3\xAC\xCE\xD2\xCB\xBE\xCC\xE1\xB9\xA9\xB7\xA2\xC6\xB1";
  EXPECT_EQ(ToUtf8(chinese, "utf-8"), ToUtf8(chinese, "gb18030"));
}

TEST_F(CharsetTest, UndeclaredCharsetsAreDetected) {
  EXPECT_EQ(ToUtf8("Caf\xE9 \x93quoted\x94", ""), "Caf\u00E9 \u201Cquoted\u201D");
  const std::string chinese = "\xC4\xFA\xBA\xC3\xA3\xAC\xCE\xD2\xCB\xBE\xCC\xE1\xB9\xA9\xB7\xA2\xC6\xB1";
  EXPECT_EQ(ToUtf8(chinese, "x-unknown"), ToUtf8(chinese, "gb18030"));
  const std::string russian = "\xF0\xD2\xC9\xD7\xC5\xD4, \xCB\xC1\xCB \xC4\xC5\xCC\xC1 \xD5 \xD4\xC5\xC2\xD1";
  EXPECT_EQ(ToUtf8(russian, ""), ToUtf8(russian, "koi8-r"));
}

TEST_F(CharsetTest, BrokenBytesBecomeReplacements) {
  const std::string mostly_good = "\u00E9\u00E9\u00E9\u00E9\u00E9\u00E9\u00E9\u00E9\u00E9\u00E9\u00E9\u00E9";
  EXPECT_EQ(ToUtf8(mostly_good + "\xFF", "utf-8"), mostly_good + "\uFFFD");
}

TEST_F(CharsetTest, NulBytesAreKept) {
  const std::string with_nul("a\0\xE9", 3);
  EXPECT_EQ(ToUtf8(with_nul, "iso-8859-1"), std::string("a\0\u00E9", 4));
}

TEST_F(CharsetTest, HostileNames) {
  for (const std::string_view name : {"../../etc/passwd", "utf-16,version=1", "\xFF", "IBM037", "x\ny"}) {
    EXPECT_EQ(ToUtf8("abc", name), "abc");
    EXPECT_EQ(ToUtf8("\xE9", name), "\u00E9");
  }
  for (int i = 0; i < 1000; ++i) EXPECT_EQ(ToUtf8("\xE9", "charset-" + std::to_string(i)), "\u00E9");
  EXPECT_EQ(ToUtf8("\xE9", std::string(100000, 'x')), "\u00E9");
}

TEST_F(CharsetTest, HeadersAreDecodedAndUnfolded) {
  EXPECT_EQ(DecodeHeader("plain"), "plain");
  EXPECT_EQ(DecodeHeader("fold\r\n ed\n\tx"), "fold ed\tx");
  EXPECT_EQ(DecodeHeader("a =?ISO-8859-1?Q?caf=E9_x?= b"), "a caf\u00E9 x b");
  EXPECT_EQ(DecodeHeader("=?gb2312?b?1tC5+g==?="), "\u4E2D\u56FD");
  EXPECT_EQ(DecodeHeader("=?utf-8*en?q?x=3F?="), "x?");
  EXPECT_EQ(DecodeHeader("=?us-ascii?Q?"
                         "?=x"),
            "x");
}

TEST_F(CharsetTest, NeighbouringEncodedWordsAreJoined) {
  EXPECT_EQ(DecodeHeader("=?utf-8?q?a?=\r\n =?utf-8?b?Yg==?= c"), "ab c");
  EXPECT_EQ(DecodeHeader("=?utf-8?q?=E4?= =?utf-8?q?=B8=AD?="), "\u4E2D");  // one character in two words
  EXPECT_EQ(DecodeHeader("=?utf-8?q?a?= x =?utf-8?q?b?="), "a x b");
}

TEST_F(CharsetTest, BrokenEncodedWordsStay) {
  for (const std::string_view broken :
       {"=?", "=?=", "=?utf-8", "=?utf-8?q?a", "=?utf-8?x?a?=", "=?\?q?a?=", "=?utf-8?q?a?"}) {
    EXPECT_EQ(DecodeHeader(broken), broken);
  }
  EXPECT_EQ(DecodeHeader("=?=?utf-8?q?x?="), "=?x");
  EXPECT_EQ(DecodeHeader("=?utf-8?q?a?b =?utf-8?q?x?="), "=?utf-8?q?a?b x");
  EXPECT_EQ(DecodeHeader("=?utf-8?b?YQ?YQ?="), "=?utf-8?b?YQ?YQ?=");
}

TEST_F(CharsetTest, AQuestionMarkMayStandInAnEncodedWord) {
  EXPECT_EQ(DecodeHeader("=?utf-8?q?Cheap_viagra?\?= now"), "Cheap viagra? now");
  EXPECT_EQ(DecodeHeader("=?utf-8?Q??What?_?is=3D?="), "?What? ?is=");
  // Each search for an end stops at the next beginning.
  std::string many;
  for (int i = 0; i < 200000; ++i) many += "=?a?q?";
  EXPECT_EQ(DecodeHeader(many), many);
}

TEST_F(CharsetTest, RawHeaderBytesAreDetected) { EXPECT_EQ(DecodeHeader("caf\xE9"), "caf\u00E9"); }

TEST_F(CharsetTest, AlwaysGivesUtf8) {
  constexpr auto kCharsets =
      std::to_array<std::string_view>({"", "utf-8", "gb2312", "big5", "iso-2022-jp", "hz", "utf-7", "utf-16",
                                       "euc-kr", "iso-2022-cn", "koi8-r"});
  constexpr auto kPieces =
      std::to_array<std::string_view>({"a", "\xFF", "\xC3", "\xA9", "\x1B$B", "~{", "+",
                                       std::string_view("\0", 1), "=?utf-8?b?", "?=", "\xD6\xD0"});
  std::mt19937_64 random(3);
  for (int round = 0; round < 5000; ++round) {
    std::string bytes;
    for (size_t i = random() % 20; i > 0; --i) bytes += kPieces[random() % kPieces.size()];
    ASSERT_TRUE(IsValidUtf8(converter_.ToUtf8(bytes, kCharsets[random() % kCharsets.size()])));
    ASSERT_TRUE(IsValidUtf8(converter_.DecodeHeader(bytes)));
  }
}

TEST_F(CharsetTest, ValidUtf8) {
  EXPECT_TRUE(IsValidUtf8(""));
  EXPECT_TRUE(IsValidUtf8("a\u00E9\u4E2D\U0001F600"));
  for (const std::string_view bad :
       {"\xC3", "\xC0\x80", "\xED\xA0\x80", "\xF4\x90\x80\x80", "\x80", "ok\xE4\xB8"}) {
    EXPECT_FALSE(IsValidUtf8(bad));
  }
}

TEST_F(CharsetTest, TakesRealMail) {
  const std::vector<std::string> messages = SpamassassinMessages(20);
  if (messages.empty()) GTEST_SKIP() << "THRESHER_CORPORA is not set";
  for (const std::string& message : messages) {
    EXPECT_TRUE(IsValidUtf8(converter_.ToUtf8(message, "")));
    EXPECT_TRUE(IsValidUtf8(converter_.ToUtf8(message, "gb2312")));
  }
}

}  // namespace
}  // namespace thresher::tokenizer
