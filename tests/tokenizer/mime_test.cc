// Parts of well-formed, broken and hostile messages. Compares the fast path for single parts with GMime.
#include "tokenizer/mime.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <random>
#include <string>
#include <vector>

#include "tests/tokenizer/hostile_text.h"
#include "tests/tokenizer/spamassassin.h"
#include "tokenizer/message_head.h"
#include "tokenizer/mime_guard.h"

namespace thresher::tokenizer {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::Field;
using testing::SizeIs;

constexpr MimeLimits kLimits = {.depth = 32, .parts = 256, .decoded_bytes = 1 << 20};

// A MimePart that owns its strings.
struct Part {
  std::string type;
  std::string charset;
  std::string encoding;
  std::string disposition;
  std::string filename;
  size_t depth = 0;
  std::string bytes;

  friend bool operator==(const Part&, const Part&) = default;
  friend void PrintTo(const Part& part, std::ostream* out) {
    *out << part.type << '|' << part.charset << '|' << part.encoding << '|' << part.disposition << '|'
         << part.filename << '|' << part.depth << '|' << part.bytes;
  }
};

struct Walk {
  std::vector<Part> parts;
  bool is_cut = false;
};

Walk WalkAll(std::string_view message, const MimeLimits& limits = kLimits,
             size_t header_bytes = std::string_view::npos) {
  Walk walk;
  MessageHead head;
  ParseHead(message, header_bytes, &head);
  walk.is_cut = WalkMime(head, limits, [&](const MimePart& part) {
    walk.parts.push_back({std::string(part.type), std::string(part.charset), std::string(part.encoding),
                          std::string(part.disposition), std::string(part.filename), part.depth,
                          std::string(part.bytes)});
  });
  return walk;
}

std::vector<Part> Parts(std::string_view message) { return WalkAll(message).parts; }

testing::Matcher<Part> Is(const std::string& type, size_t depth, const std::string& bytes) {
  return AllOf(Field(&Part::type, type), Field(&Part::depth, depth), Field(&Part::bytes, bytes));
}

std::string Repeat(std::string_view piece, size_t times) {
  std::string text;
  for (size_t i = 0; i < times; ++i) text += piece;
  return text;
}

TEST(MimeTest, SinglePart) {
  EXPECT_THAT(Parts("Subject: x\nContent-Type: Text/HTML; Charset=\"ISO-8859-1\"\n\n<b>"),
              ElementsAre(Part{"text/html", "iso-8859-1", "", "", "", 0, "<b>"}));
  EXPECT_THAT(Parts("CONTENT-TRANSFER-ENCODING: Base64\r\n\r\naGVs\r\nbG8="),
              ElementsAre(Part{"text/plain", "", "base64", "", "", 0, "hello"}));
  EXPECT_THAT(Parts("Content-Transfer-Encoding: quoted-printable\n\na=3Db=\nc =E4"),
              ElementsAre(Part{"text/plain", "", "quoted-printable", "", "", 0, "a=bc \xE4"}));
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
  for (const std::string_view type : {"text", "", "/", "text/", "/plain", ";", "charset=utf-8"}) {
    EXPECT_THAT(Parts("Content-Type: " + std::string(type) + "\n\nx"), ElementsAre(Is("text/plain", 0, "x")))
        << type;
  }
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

TEST(MimeTest, HeadersThatTheHeadLeftOutAreNotRead) {
  const std::string message = Repeat("X: y\n", 20000) + "Content-Type: text/html\n\n<b>";
  const Walk walk = WalkAll(message, kLimits, 64 << 10);
  EXPECT_THAT(walk.parts, ElementsAre(Is("text/plain", 0, "<b>")));
}

TEST(MimeTest, GuardCutsBeforeTheFirstTooMany) {
  constexpr size_t kMany = 100;
  const std::string_view types = "a Multipart/x message/y z";
  EXPECT_EQ(BoundStructure(types, "", {2, kMany, kMany}), types);
  EXPECT_EQ(BoundStructure(types, "", {1, kMany, kMany}), "a Multipart/x message");
  EXPECT_EQ(BoundStructure("--a\n--b\nc --\n--d", "", {kMany, 2, kMany}), "--a\n--b\nc --\n");
  EXPECT_EQ(BoundStructure("\ntext;;\n--a\nx\ny;\n\ntext;\n--b\nz", "", {kMany, kMany, 3}),
            "\ntext;;\n--a\nx\ny;\n\ntext;\n--b\n");
  EXPECT_EQ(BoundStructure("T: message/x\n\nx\ny\n\ntext\n", "", {kMany, kMany, 2}), "T: message/x\n\nx\n");
  EXPECT_EQ(BoundStructure("", "", {0, 0, 0}), "");
}

// Without the guard, these take seconds per megabyte.
TEST(MimeTest, HostileHeadsOfParts) {
  const std::string head = "Content-Type: multipart/mixed; boundary=b\n\n--b\n";
  for (const std::string& fields :
       {Repeat("a:\n", 300000), "Content-Type: text/plain; " + Repeat("a=b;", 300000),
        "Content-Type: text/plain" + Repeat(";\n a=b", 100000),
        "Content-Type: message/rfc822\n\n" + Repeat("a:\n", 300000),
        "Content-Type: message /rfc822\n\n" + Repeat("a:\n", 300000),
        "Content-Type:\n (x) Message (y) / rfc822\n\n" + Repeat("a:\n", 300000),
        "Content-Type: multipart/digest; boundary=c\n\n--c\n\n" + Repeat("a:\n", 300000)}) {
    EXPECT_TRUE(WalkAll(head + fields + "\n\nx\n--b--\n").is_cut) << fields.substr(0, 60);
  }
  const std::string digest = "Content-Type: multipart/digest; boundary=b\n\n--b\n\n";
  EXPECT_TRUE(WalkAll(digest + Repeat("a:\n", 300000) + "\n\nx\n--b--\n").is_cut);
  // Long lines of text, or of an attachment, are no head.
  const std::string text = "\n" + Repeat("word word\n", 100000);
  EXPECT_FALSE(WalkAll(digest + "Subject: x\n" + text + "--b--\n").is_cut);
  EXPECT_FALSE(
      WalkAll(head + "Content-Type: text/plain\nContent-Description: the message\n" + text + "--b--\n")
          .is_cut);
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
