// Messages within a message that GMime does not look into: in a transfer encoding, or in a file.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <string_view>

#include "tests/tokenizer/mime_walk.h"
#include "tests/tokenizer/token_texts.h"

namespace thresher::tokenizer {
namespace {

using testing::AllOf;
using testing::Contains;
using testing::ElementsAre;
using testing::IsSupersetOf;
using testing::Not;
using testing::SizeIs;

std::string Base64(std::string_view text) {
  constexpr std::string_view kAlphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string out;
  unsigned bits = 0;
  int count = 0;
  for (const char c : text) {
    bits = bits << 8 | static_cast<unsigned char>(c);
    for (count += 8; count >= 6; count -= 6) out += kAlphabet[bits >> (count - 6) & 63];
  }
  if (count > 0) out += kAlphabet[bits << (6 - count) & 63];
  return out;
}

constexpr std::string_view kInner =
    "From: Joe <joe@inner.example>\nSubject: cheap\nContent-Type: multipart/mixed; boundary=c\n\n"
    "--c\nContent-Type: text/html\nContent-Transfer-Encoding: quoted-printable\n\n<b>via=\ngra\n"
    "--c\nContent-Type: image/gif\n\nGIF\n--c--\n";

std::string Within(const std::string& head, const std::string& content) {
  return "Subject: outer\nContent-Type: multipart/mixed; boundary=b\n\n--b\n" + head + "\n\n" + content +
         "\n--b\n\nlast\n--b--\n";
}

TEST(EncodedMessages, AreReadAsOthersAre) {
  for (const std::string type : {"message/rfc822", "message/global", "message/news"}) {
    EXPECT_THAT(
        Parts(Within("Content-Type: " + type + "\nContent-Transfer-Encoding: base64", Base64(kInner))),
        ElementsAre(Is("multipart/mixed", 0, ""), Is(type, 1, ""), Is("multipart/mixed", 2, ""),
                    Is("text/html", 3, "<b>viagra"), Is("image/gif", 3, "GIF"), Is("text/plain", 1, "last")))
        << type;
  }
  EXPECT_THAT(Parts("Content-Type: message/rfc822\nContent-Transfer-Encoding: quoted-printable\n\n"
                    "Content-Type=3A text/html\n\n<i=\n>"),
              ElementsAre(Is("message/rfc822", 0, ""), Is("text/html", 1, "<i>")));
  EXPECT_THAT(Parts("Content-Type: message/rfc822\nContent-Transfer-Encoding: base64\n\n" + Base64("\ntext")),
              ElementsAre(Is("message/rfc822", 0, ""), Is("text/plain", 1, "text")));
}

TEST(EncodedMessages, FilesAreReadAndStayFiles) {
  const std::string head =
      "Content-Type: application/octet-stream; name=\"a.EML\"\nContent-Transfer-Encoding: ";
  const std::string message(kInner);
  for (const std::string& part :
       {Within(head + "base64", Base64(message)),
        "Content-Type: application/x-mail; name=a.eml\nContent-Transfer-Encoding: base64\n\n" +
            Base64(message)}) {
    EXPECT_THAT(Parts(part), AllOf(Contains(testing::Field(&Part::bytes, message)),
                                   Contains(testing::Field(&Part::bytes, "<b>viagra"))));
  }
  EXPECT_THAT(Parts(Within(head + "7bit", "no message")), SizeIs(3));
  EXPECT_THAT(Parts(Within("Content-Type: text/plain; name=a.eml", "Subject: x\n\ny")),
              Contains(Is("text/plain", 1, "Subject: x\n\ny")));
}

TEST(EncodedMessages, GiveTheTokensOfOthers) {
  Options options;
  options.raw_ngrams = false;
  const std::set<std::string> tokens = TokenTexts(
      Within("Content-Type: message/rfc822\nContent-Transfer-Encoding: base64", Base64(kInner)), options);
  EXPECT_THAT(tokens, IsSupersetOf({"body:viagra", "body:cheap", "body:joe", "mime:type:image/gif"}));
  EXPECT_THAT(tokens, Not(Contains("body:boundary")));
  EXPECT_THAT(
      TokenTexts(Within("Content-Type: application/octet-stream; name=a.eml", std::string(kInner)), options),
      IsSupersetOf({"body:cheap", "attachment:extension:eml", "attachment:size:256"}));
}

TEST(EncodedMessages, KeepTheLimits) {
  const std::string head = "Content-Type: message/rfc822\nContent-Transfer-Encoding: base64\n\n";
  std::string nested = "Content-Type: text/html\n\n<b>";
  for (int i = 0; i < 20; ++i) nested = head + Base64(nested);
  EXPECT_THAT(Parts(nested), Contains(Is("text/html", 20, "<b>")));
  MimeLimits limits = kLimits;
  limits.depth = 5;
  Walk walk = WalkAll(nested, limits);
  EXPECT_TRUE(walk.is_cut);
  EXPECT_THAT(walk.parts, SizeIs(6));
  limits = kLimits;
  limits.decoded_bytes = 100;
  walk = WalkAll(head + Base64("Content-Type: text/html\n\n" + std::string(1000, 'x')), limits);
  EXPECT_TRUE(walk.is_cut);
  EXPECT_THAT(walk.parts, ElementsAre(Is("message/rfc822", 0, ""), Is("text/html", 1, std::string(75, 'x'))));
  // All lines that may be of a head count together, however many messages there are.
  const std::string lines =
      Base64("Content-Type: multipart/mixed; boundary=c\n\n--c\n\nx\n" + Repeat("--x\n", 90));
  const auto with = [&](int messages) {
    std::string many = "Content-Type: multipart/mixed; boundary=b\n\n";
    for (int i = 0; i < messages; ++i) many += "--b\n" + head + lines + "\n";
    return many;
  };
  EXPECT_FALSE(WalkAll(with(10)).is_cut);
  EXPECT_TRUE(WalkAll(with(60)).is_cut);
}

}  // namespace
}  // namespace thresher::tokenizer
