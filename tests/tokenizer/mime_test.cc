// Parts of well-formed, broken and hostile messages. Compares the fast path for single parts with GMime.
#include "tokenizer/mime.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <random>
#include <string>
#include <vector>

#include "tests/tokenizer/hostile_text.h"
#include "tests/tokenizer/mime_walk.h"
#include "tests/tokenizer/spamassassin.h"

namespace thresher::tokenizer {
namespace {

using testing::ElementsAre;
using testing::Field;
using testing::SizeIs;

TEST(MimeTest, SinglePart) {
  EXPECT_THAT(Parts("Subject: x\nContent-Type: Text/HTML; Charset=\"ISO-8859-1\"\n\n<b>"),
              ElementsAre(Part{"text/html", "iso-8859-1", "", "", "", 0, "<b>"}));
  EXPECT_THAT(Parts("CONTENT-TRANSFER-ENCODING: Base64\r\n\r\naGVs\r\nbG8="),
              ElementsAre(Part{"text/plain", "", "base64", "", "", 0, "hello"}));
  EXPECT_THAT(Parts("Content-Transfer-Encoding: quoted-printable\n\na=3Db=\nc =E4"),
              ElementsAre(Part{"text/plain", "", "quoted-printable", "", "", 0, "a=bc \xE4"}));
  EXPECT_THAT(Parts("Content-Transfer-Encoding: 'Quoted-Printable'\n\nvia= \ngra"),
              ElementsAre(Part{"text/plain", "", "quoted-printable", "", "", 0, "viagra"}));
}

TEST(MimeTest, Uuencode) {
  EXPECT_THAT(Parts("Content-Transfer-Encoding: x-uuencode\n\nhi\nbegin 644 x.txt\n#0V%T\n#0V%T\n`\nend\n"),
              ElementsAre(Is("text/plain", 0, "CatCat")));
  EXPECT_THAT(Parts("Content-Transfer-Encoding: x-uuencode\n\nno head"),
              ElementsAre(Is("text/plain", 0, "no head")));
}

TEST(MimeTest, WithoutOrWithBrokenHeaders) {
  EXPECT_THAT(Parts(""), ElementsAre(Is("text/plain", 0, "")));
  EXPECT_THAT(Parts("\nhello"), ElementsAre(Is("text/plain", 0, "hello")));
  EXPECT_THAT(Parts("no header\nat all"), ElementsAre(Is("text/plain", 0, "no header\nat all")));
  for (const std::string_view type :
       {"text", "", "/", "text/", "/plain", ";", "charset=utf-8", "application", "application/"}) {
    EXPECT_THAT(Parts("Content-Type: " + std::string(type) + "\n\nx"), ElementsAre(Is("text/plain", 0, "x")))
        << type;
  }
}

TEST(MimeTest, TypesAsMailProgramsReadThem) {
  for (const std::string_view type :
       {"\"text/html\"", "'text/html'; charset=x", "\"text\"/html", "text /html", "text (x) / html"}) {
    EXPECT_THAT(Parts("Content-Type: " + std::string(type) + "\n\nx"), ElementsAre(Is("text/html", 0, "x")))
        << type;
  }
  EXPECT_THAT(Parts("Content-Type: te xt/html\n\nx"), ElementsAre(Is("text/plain", 0, "x")));
  EXPECT_THAT(Parts("Content-Type: Application /x-y\n\nx"), ElementsAre(Is("application/x-y", 0, "x")));
  for (const std::string_view type : {"multipart /mixed; boundary=b", "Multipart (x) / mixed; boundary=b"}) {
    EXPECT_THAT(
        Parts("Content-Type: " + std::string(type) + "\n\n--b\nContent-Type: text/html\n\nx\n--b--\n"),
        ElementsAre(Is("multipart/mixed", 0, ""), Is("text/html", 1, "x")))
        << type;
  }
  EXPECT_THAT(Parts("Content-Type: text(;)/html\n\nx"), ElementsAre(Is("text/html", 0, "x")));
  // GMime looks for no parts here.
  EXPECT_THAT(Parts("Content-Type: \"multipart /mixed\"; boundary=b\n\n--b\n\nx"),
              ElementsAre(Is("text/plain", 0, "--b\n\nx")));
  EXPECT_THAT(Parts("Content-Type: \"multipart/mixed\"; boundary=b\n\n--b\n\nx"),
              ElementsAre(Is("text/plain", 0, "--b\n\nx")));
}

// As mail programs read them: what is no parameter hides none behind it.
TEST(MimeTest, BadParametersHideNoOthers) {
  for (std::string bad : {"foo",     "foo bar",        "foo=",     "foo= (x)", "=x",
                          ".",       "charset: utf-8", "a/b=c",    "x=\"a\"b", "x=\"a\" b=c",
                          "\"a;b\"", "a \"b;c\" d",    "(",        "(a;b)",    "a(",
                          "a*0",     "a*x=b",          "a=\"b\"(", "\xE4",     "\n foo\n bar",
                          "x;;y",    "x=(y;z)",        "x=a%b"}) {
    std::ranges::replace(bad, '%', '\0');
    const std::string type = "Content-Type: multipart/mixed; " + bad;
    const std::string part = "Content-Type: text/html; " + bad +
                             "; charset=koi8-r\nContent-Disposition: inline;\n " + bad +
                             ";\n filename=\"a;b\"; " + bad + "\n\nx";
    const Part expected{"text/html", "koi8-r", "", "inline", "a;b", 1, "x"};
    EXPECT_THAT(Parts(type + "; boundary=b\n\n--b\n" + part + "\n--b--\n"),
                ElementsAre(Is("multipart/mixed", 0, ""), expected))
        << bad;
    EXPECT_THAT(Parts("Content-Type: multipart/mixed; boundary=b\n\n--b\n" + type + "; boundary=\"c\"; " +
                      bad + "\n\n--c\n" + part + "\n--c--\n--b--\n"),
                testing::Contains(Is("text/html", 2, "x")))
        << bad;
  }
  EXPECT_THAT(Parts("Content-Type: text/plain; foo;\r\n charset=iso-2022-jp;\r\n name=a (1;2).txt\r\n\r\nx"),
              ElementsAre(Part{"text/plain", "iso-2022-jp", "", "", "a (1", 0, "x"}));
  EXPECT_THAT(Parts("Content-Type: text/plain; a\" b; (c; x=(y); charset=x; (d\n\nx"),
              ElementsAre(Part{"text/plain", "x", "", "", "", 0, "x"}));
  EXPECT_THAT(Parts("Content-Type: text/plain; foo; name=\"a\\\"; b=c\"; charset=x (y)\n\nx"),
              ElementsAre(Part{"text/plain", "x", "", "", "a\"; b=c", 0, "x"}));
}

// Mail programs differ in where an odd value ends, and in which of two they take.
TEST(MimeTest, OddBoundariesHideNoPart) {
  const std::string parts = "\n\n--b\nContent-Type: text/html\n\nx\n--b--\n";
  for (const std::string type :
       {"boundary=b (x)", "boundary=b\n (x)", "boundary=b x", "boundary=\"b", "boundary=b;x",
        "boundary=c; boundary*=us-ascii''b", "boundary=(b", "boundry=b", "boundary"}) {
    EXPECT_THAT(Parts("Content-Type: multipart/mixed; " + type + parts),
                testing::Contains(Is("text/html", 1, "x")))
        << type;
  }
  EXPECT_THAT(Parts("Content-Type: multipart/mixed; boundary=c\n\n-- \nx\n---- y ----\nz\n"),
              testing::Contains(Is("text/plain", 0, "-- \nx\n---- y ----\nz\n")));
}

TEST(MimeTest, LinesMayEndInCr) {
  EXPECT_THAT(
      Parts("Content-Type: multipart/mixed; boundary=b\n\n--b\rContent-Type: text/html\r"
            "Content-Transfer-Encoding: base64\r\rdmlh\rZ3Jh\r--b\rContent-Type: text/css\r\ry\r--b--\r"),
      testing::IsSupersetOf({Is("text/html", 1, "viagra"), Is("text/css", 1, "y")}));
}

// For GMime the last one counts.
TEST(MimeTest, TheFirstOfEqualHeadersCounts) {
  const std::string head = "Content-Type: multipart/mixed; boundary=b\n\n--b\n";
  const std::string inner = "\n\n--c\nContent-Type: text/html\n\nx\n--c--\n--b--\n";
  for (const char* second :
       {"text/plain", "multipart/mixed; boundary=z", "x", "", "text/plain;\n charset=x"}) {
    EXPECT_THAT(Parts(head + "Content-Type:\nContent-Type:\n multipart/mixed; boundary=c\nContent-Type: " +
                      second + inner),
                testing::Contains(Is("text/html", 2, "x")))
        << second;
  }
  EXPECT_THAT(
      Parts(head + "Content-Type: text/html\nContent-Type: multipart/mixed; boundary=z\n\nx\n--b--\n"),
      testing::Contains(Is("text/html", 1, "x")));
}

TEST(MimeTest, Multipart) {
  const std::string message =
      "Content-Type: multipart/mixed; boundary=\"outer\"\n\npreamble\n"
      "--outer\nContent-Type: multipart/alternative;\n boundary=inner\n\n"
      "--inner\n\nplain\n--inner\nContent-Type: text/html\n\n<b>\n--inner--\n"
      "--outer\nContent-Type: image/gif; name=a.gif\nContent-Transfer-Encoding: base64\n"
      "Content-Disposition: Attachment; filename*=utf-8''%e4%b8%ad.gif\n\nR0lG\n--outer--\nepilogue\n";
  EXPECT_THAT(Parts(message),
              ElementsAre(Is("multipart/mixed", 0, ""), Is("multipart/alternative", 1, ""),
                          Is("text/plain", 2, "plain"), Is("text/html", 2, "<b>"),
                          Part{"image/gif", "", "base64", "attachment", "\u4E2D.gif", 1, "GIF"}));
  EXPECT_FALSE(WalkAll(message).is_cut);
}

TEST(MimeTest, EmbeddedMessages) {
  const std::string message =
      "Content-Type: multipart/mixed; boundary=b\n\n--b\nContent-Type: message/rfc822\n\n"
      "Subject: inner\nContent-Type: text/html\n\n<i>\n--b\nContent-Type: message/delivery-status\n\nx: "
      "y\n--b--\n";
  EXPECT_THAT(Parts(message),
              ElementsAre(Is("multipart/mixed", 0, ""), Is("message/rfc822", 1, ""),
                          Is("text/html", 2, "<i>"), Is("message/delivery-status", 1, "x: y")));
  EXPECT_THAT(Parts("Content-Type: message/rfc822\n\nContent-Type: text/html\n\n<i>"),
              ElementsAre(Is("message/rfc822", 0, ""), Is("text/html", 1, "<i>")));
}

TEST(MimeTest, BrokenStructureGivesTheBodyAsText) {
  for (const std::string_view head :
       {"Content-Type: multipart/mixed; boundary=b", "Content-Type: multipart/mixed",
        "Content-Type: multipart/mixed; boundary="}) {
    const std::string message = std::string(head) + "\n\nno\nboundary\n";
    EXPECT_THAT(Parts(message), testing::Contains(Is("text/plain", 0, "no\nboundary\n"))) << head;
  }
  EXPECT_THAT(Parts("Content-Type: multipart/mixed; boundary=b\n\n--b\n\nnever closed"),
              ElementsAre(Is("multipart/mixed", 0, ""), Is("text/plain", 1, "never closed")));
}

TEST(MimeTest, TruncatedEncodings) {
  EXPECT_THAT(Parts("Content-Transfer-Encoding: base64\n\naGVsbG"),
              ElementsAre(Field(&Part::bytes, testing::StartsWith("hel"))));
  EXPECT_THAT(Parts("Content-Transfer-Encoding: quoted-printable\n\na=4"),
              ElementsAre(Field(&Part::bytes, testing::StartsWith("a"))));
  EXPECT_THAT(Parts("Content-Transfer-Encoding: nonsense\n\nas it is"),
              ElementsAre(Is("text/plain", 0, "as it is")));
}

TEST(MimeTest, Base64GoesOnBehindItsPadding) {
  const std::string head = "Content-Transfer-Encoding: base64\n\n";
  EXPECT_THAT(Parts(head + "YQ==\r\naGlkZGVu\r\nYg==YmI=\r\nYw==\r\n"),
              ElementsAre(Is("text/plain", 0, "ahiddenbbbc")));
  EXPECT_THAT(Parts(head + "YQ==\n\n_____________\nA list's footer\n"),
              ElementsAre(Is("text/plain", 0, "a")));
  EXPECT_THAT(Parts(head + Repeat("YQ==", 100000)), ElementsAre(Is("text/plain", 0, Repeat("a", 100000))));
  EXPECT_THAT(Parts(head + Repeat("A=", 1000000)),
              ElementsAre(Is("text/plain", 0, std::string(500000, '\0'))));
}

// As mail programs have it: "=" is one of four, other characters count for nothing.
TEST(MimeTest, Base64ThatIsNotQuite) {
  for (const std::string_view encoding : {"base64", "base64,", "BASE64 (x)", "\"base64\"", "\"base64"}) {
    const std::string head = "Content-Transfer-Encoding: " + std::string(encoding) + "\n\n";
    EXPECT_THAT(Parts(head + "=AAAYnV5IG5vdw=="),
                ElementsAre(Is("text/plain", 0, std::string(2, '\0') + "buy now")));
    EXPECT_THAT(Parts(head + "YnV5\r\n IG!5v\tdw=="), ElementsAre(Is("text/plain", 0, "buy now")));
    EXPECT_THAT(Parts(head + "SGk=\r\n!" + Repeat("YnV5", 300)),
                ElementsAre(Is("text/plain", 0, "Hi" + Repeat("buy", 300))));
    EXPECT_THAT(Parts(head + "YnV5IG5vdw"), ElementsAre(Is("text/plain", 0, "buy now")));
  }
}

TEST(MimeTest, DecodedBytesAreLimited) {
  MimeLimits limits = kLimits;
  limits.decoded_bytes = 10;
  const std::string message =
      "Content-Type: multipart/mixed; boundary=b\n\n--b\nContent-Type: image/gif\n\n" +
      std::string(100, 'g') + "\n--b\n\n" + std::string(8, 't') +
      "\n--b\nContent-Transfer-Encoding: base64\n\naGVsbG8gd29ybGQ=\n--b--\n";
  const Walk walk = WalkAll(message, limits);
  EXPECT_TRUE(walk.is_cut);
  EXPECT_THAT(walk.parts, ElementsAre(Is("multipart/mixed", 0, ""), Is("image/gif", 1, std::string(10, 'g')),
                                      Is("text/plain", 1, "tttttttt"), Is("text/plain", 1, "he")));
  limits.decoded_bytes = 1000;
  EXPECT_FALSE(WalkAll(message, limits).is_cut);
}

TEST(MimeTest, NestingIsLimited) {
  std::string multiparts;
  for (int i = 0; i < 100000; ++i) {
    const std::string boundary = "b" + std::to_string(i);
    multiparts.append("Content-Type: multipart/mixed; boundary=")
        .append(boundary)
        .append("\n\n--")
        .append(boundary)
        .append("\n");
  }
  for (const std::string& message : {multiparts, Repeat("Content-Type: message/rfc822\n\n", 100000),
                                     Repeat("Content-Type: multipart/mixed; boundary=b\n\n--b\n", 100000)}) {
    const Walk walk = WalkAll(message);
    EXPECT_TRUE(walk.is_cut);
    for (const Part& part : walk.parts) EXPECT_LE(part.depth, kLimits.depth);
  }
}

TEST(MimeTest, PartsAreLimited) {
  const std::string message = "Content-Type: multipart/mixed; boundary=b\n\n" + Repeat("--b\n\nx\n", 100000);
  const Walk walk = WalkAll(message);
  EXPECT_TRUE(walk.is_cut);
  EXPECT_THAT(walk.parts, SizeIs(kLimits.parts));
}

TEST(MimeTest, OtherHeadersDoNotHideTheType) {
  for (const std::string& others :
       {Repeat("X: y\n", 20000), "X: " + Repeat("y", 100000) + "\n",
        "Content-Description: " + Repeat("y", 65500) + "\n", Repeat("Content-Type:\n", 10000)}) {
    const Walk walk = WalkAll(others + "Content-Type: text/html\n\n<b>", kLimits, 64 << 10);
    EXPECT_THAT(walk.parts, ElementsAre(Is("text/html", 0, "<b>")));
  }
}

TEST(MimeTest, ALongTypeIsCut) {
  const Walk walk =
      WalkAll("Content-Type: text/html; x=" + Repeat("y", 65600) + "\n\n<b>", kLimits, 64 << 10);
  EXPECT_THAT(walk.parts, ElementsAre(Is("text/html", 0, "<b>")));
}

TEST(MimeTest, NamesOfTypesInTextHideNoPart) {
  const Walk walk =
      WalkAll("Content-Type: multipart/mixed; boundary=b\n\n--b\n\n" + Repeat("message/ multipart/\n", 1000) +
              "--b\nContent-Type: text/html\n\nx\n--b--\n");
  EXPECT_FALSE(walk.is_cut);
  EXPECT_THAT(walk.parts, testing::Contains(Is("text/html", 1, "x")));
}

// GMime's parser reads the same message inside a message/rfc822.
void ExpectFastPathAgreesWithGMime(const std::string& message) {
  Walk direct = WalkAll(message);
  const Walk embedded = WalkAll("Content-Type: message/rfc822\n\n" + message);
  for (Part& part : direct.parts) ++part.depth;
  direct.parts.insert(direct.parts.begin(), Part{"message/rfc822", "", "", "", "", 0, ""});
  EXPECT_EQ(direct.parts, embedded.parts) << message;
}

TEST(MimeTest, FastPathAgreesWithGMimeOnRandomHeads) {
  constexpr auto kHeaders = std::to_array<std::string_view>(
      {"Subject: x\n", "Content-Type: text/html; charset=GB2312\n",
       "Content-Type: text/plain;\n\tname=\"a b.txt\"\n",
       "content-type: image/png; name==?utf-8?q?=C3=A4?=.png\n", "Content-Transfer-Encoding: base64\n",
       "Content-Transfer-Encoding: quoted-printable\n", "Content-Disposition: inline; filename=\"x;y\"\n",
       "Content-Disposition: attachment;\n filename*0=a; filename*1=b\n", "Content-Type: broken\n",
       "Content-Transfer-Encoding: 8bit (comment)\n", "Content-Type: text / plain ; charset = utf-8\n",
       "MIME-Version: 1.0\r\n"});
  constexpr auto kBodies = std::to_array<std::string_view>(
      {"", "a", "\n", "aGVsbG8=\n", "=41=\n=4", "--\n", "From x\n", "\r\n\r\n", "a\r\nb", "--b\n"});
  std::mt19937_64 random(17);
  for (int round = 0; round < 3000; ++round) {
    std::string message = "From: a@b\n";
    for (size_t i = random() % 5; i > 0; --i) message += kHeaders[random() % kHeaders.size()];
    message += "\n";
    for (size_t i = random() % 4; i > 0; --i) message += kBodies[random() % kBodies.size()];
    ExpectFastPathAgreesWithGMime(message);
    if (testing::Test::HasFailure()) return;
  }
}

TEST(MimeTest, FastPathAgreesWithGMimeOnRealMail) {
  const std::vector<std::string> messages = SpamassassinMessages(5);
  if (messages.empty()) GTEST_SKIP() << "THRESHER_CORPORA is not set";
  for (const std::string& message : messages) {
    const MessageHead head = ParseHead(message);
    ExpectFastPathAgreesWithGMime(message.substr(head.from_line.size()));
    if (testing::Test::HasFailure()) return;
  }
}

TEST(MimeTest, AnyBytesKeepTheLimits) {
  constexpr MimeLimits kTight = {.depth = 3, .parts = 8, .decoded_bytes = 64};
  for (uint64_t seed = 0; seed < 5000; ++seed) {
    const Walk walk = WalkAll(HostileText(seed).Message(40), kTight);
    EXPECT_FALSE(walk.parts.empty());
    EXPECT_LE(walk.parts.size(), kTight.parts);
    for (const Part& part : walk.parts) {
      EXPECT_LE(part.depth, kTight.depth);
      EXPECT_LE(part.bytes.size(), kTight.decoded_bytes);
    }
  }
}

}  // namespace
}  // namespace thresher::tokenizer
