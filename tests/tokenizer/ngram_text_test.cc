// What of a message the n-grams read.
#include "tokenizer/ngram_text.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "tests/tokenizer/hostile_text.h"
#include "tests/tokenizer/mime_walk.h"
#include "tokenizer/id_space.h"
#include "tokenizer/tokenizer.h"

namespace thresher::tokenizer {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

std::string TextOf(std::string_view message, size_t bytes = 3500, size_t head_bytes = 2500) {
  NgramText text;
  return std::string(text.Of(ParseHead(message), bytes, head_bytes));
}

TEST(NgramText, AShortOldMessageIsReadAsItStands) {
  const std::string message =
      "Received: from a.example by b.example; Mon, 2 Sep 2002 12:00:00 +0000\n"
      "Received: from c.example by a.example\n"
      "From: Joe <joe@example.com>\nSubject: hello\n\nfirst line\n-- \nJoe\n";
  EXPECT_EQ(TextOf(message), message);
}

TEST(NgramText, LeavesOutSignaturesAndResults) {
  const std::string text = TextOf(
      "DKIM-Signature: v=1; a=rsa-sha256; d=example.com; b=QUJDREVGR0g=\n"
      "ARC-Seal: i=1; b=SUpLTE1OT1A=\nAuthentication-Results: mx.example; spf=pass\n"
      "X-MS-Exchange-CrossTenant-Id: 0815\nX-Google-Smtp-Source: AGHT+\nSubject: hello\n\nbody\n");
  EXPECT_EQ(text, "Subject: hello\n\nbody\n");
}

TEST(NgramText, OneHeaderCannotTakeAllAndTheHeadNotTheBodysPart) {
  std::string message = "X-Long: " + std::string(5000, 'x') + "\nSubject: hello\n";
  EXPECT_THAT(TextOf(message + "\nbody\n"), AllOf(HasSubstr("\nSubject: hello\n"), HasSubstr("\nbody\n")));
  for (int i = 0; i < 100; ++i)
    message += "X-Header-" + std::to_string(i) + ": " + std::string(90, 'y') + "\n";
  const std::string text = TextOf(message + "\nbody" + std::string(5000, 'z'));
  EXPECT_EQ(text.size(), 3500u);
  EXPECT_THAT(text, HasSubstr("\n\nbody" + std::string(900, 'z')));
}

TEST(NgramText, DecodesTheBody) {
  EXPECT_EQ(TextOf("Content-Transfer-Encoding: base64\n\naGVs\nbG8h\n"),
            "Content-Transfer-Encoding: base64\n\nhello!");
  // A sender may put pieces together, each with its padding.
  EXPECT_EQ(TextOf("Content-Transfer-Encoding: base64\n\naGVsbG8=\nICF3b3JsZA==\nIQ==\n"),
            "Content-Transfer-Encoding: base64\n\nhello !world!");
  EXPECT_EQ(TextOf("content-transfer-encoding: Quoted-Printable\n\n=E4=C4 a=\nb=\r\nc =3D =xy\n"),
            "content-transfer-encoding: Quoted-Printable\n\n\xE4\xC4 abc = =xy\n");
  EXPECT_EQ(TextOf("Content-Transfer-Encoding: \"base64\"\n\naGVsbG8h\n"),
            "Content-Transfer-Encoding: \"base64\"\n\nhello!");
  EXPECT_EQ(TextOf("Content-Transfer-Encoding: quoted-printable\n\nvia= \t\ngra\n"),
            "Content-Transfer-Encoding: quoted-printable\n\nviagra\n");
}

TEST(NgramText, DecodesPartsAndLeavesOutFiles) {
  const std::string text = TextOf(
      "Content-Type: multipart/mixed; boundary=a\n\n"
      "--a\nContent-Type: multipart/alternative; boundary=b\n\n"
      "--b\nContent-Type: image/png\nContent-Transfer-Encoding: base64\n\nSU1BR0U=\n"
      "--b\r\nContent-Type: text/html\r\nContent-Transfer-Encoding: BASE64\r\n\r\naGVsbG8=\r\n"
      "--b--\n--a\nContent-Transfer-Encoding: quoted-printable\n\n-- \n--no part\n=41=42\n--a--\n");
  EXPECT_THAT(text, AllOf(HasSubstr("--b\nContent-Type: image/png\n"), Not(HasSubstr("IMAGE")),
                          Not(HasSubstr("SU1BR0U")), HasSubstr("\nhello--a\n"),
                          HasSubstr("-- \n--no part\nAB\n--a--\n")));
}

// Programs do not show it. But what mail programs write there is kept.
TEST(NgramText, APreambleDoesNotFillIt) {
  const std::string usual = "This is a multi-part message in MIME format.\n";
  const std::string ham = Repeat("words of ham\n\n", 1000);
  for (const std::string type :
       {"Multipart/mixed; boundary=a.b", "multipart/mixed;\n\tcharset=x; Boundary=\"a.b\"; x=y"}) {
    for (const std::string first : {"\nbuy", "Content-Type: text/plain\n\nbuy"}) {
      const std::string parts = "--a.b\n" + first + "\n--a.b--\n";
      const std::string head = "Content-Type: " + type + "\n\n";
      EXPECT_THAT(TextOf(head + usual + ham + parts), AllOf(HasSubstr(usual), HasSubstr("buy\n--a.b--")))
          << first;
      EXPECT_EQ(TextOf(head + usual + parts), head + usual + parts);
      EXPECT_EQ(TextOf(head + parts), head + parts);
    }
  }
  for (const std::string type : {"text/plain; boundary=a", "multipart/mixed; boundary=b", "multipart/mixed"})
    EXPECT_THAT(TextOf("Content-Type: " + type + "\n\n" + ham + "--a\n\nbuy\n"), Not(HasSubstr("buy")));
}

TEST(NgramText, AFileBeforeTheTextDoesNotHideIt) {
  std::string message =
      "Content-Type: multipart/mixed; boundary=a\n\n--a\nContent-Type: image/png\n"
      "Content-Transfer-Encoding: base64\n\n";
  for (int i = 0; i < 10000; ++i) message += "QUJDREVGR0hJSktMTU5PUA==\n";
  EXPECT_THAT(TextOf(message + "--a\nContent-Type: text/plain\n\nhello\n--a--\n"), HasSubstr("\n\nhello\n"));
}

TEST(NgramText, AnyBytesStayWithinTheLimit) {
  HostileText texts(7);
  NgramText text;
  for (int i = 0; i < 5000; ++i) {
    const std::string message = texts.Message(60);
    const size_t limit = texts.Random()() % 200;
    EXPECT_LE(text.Of(ParseHead(message), limit, texts.Random()() % 300).size(), limit);
  }
}

TEST(NgramText, MayBeSwitchedToTheRawMessage) {
  Options options;
  options.raw_ngrams = true;
  const std::string message = "Content-Transfer-Encoding: base64\n\naGVsbG8gd29ybGQ=\n";
  const auto has = [&](std::string_view ngram) {
    Features features;
    Tokenizer(options, 1).Tokenize(message, Kind::kMail, &features);
    for (const uint64_t id : features.ids) {
      if (IdSpace::IsNgram(id) && IdSpace(1).NgramText(id) == "raw:" + std::string(ngram)) return true;
    }
    return false;
  };
  EXPECT_TRUE(has("hell"));
  EXPECT_FALSE(has("aGVs"));
  options.ngram_head_bytes = 0;
  EXPECT_FALSE(has("hell"));
  EXPECT_TRUE(has("aGVs"));
}

}  // namespace
}  // namespace thresher::tokenizer
