#include <fmt/format.h>
#include <gtest/gtest.h>
#include <xxhash.h>

#include "tests/tokenizer/hostile_text.h"
#include "tokenizer/message_head.h"

namespace thresher::tokenizer {
namespace {

std::string DigestOf(std::string body) { return KeyOf("A: b\n\n" + std::move(body)).digest; }

TEST(KeyOf, MessageId) {
  EXPECT_EQ(KeyOf("Message-ID: <a@b>\n\n").message_id, "a@b");
  EXPECT_EQ(KeyOf("MESSAGE-id:\n <a@\r\n b> (c)\n\n").message_id, "a@b");
  EXPECT_EQ(KeyOf("Message-ID: bare id\n\n").message_id, "bareid");
  EXPECT_EQ(KeyOf("Message-ID: <open\n\n").message_id, "open");
  EXPECT_EQ(KeyOf("Message-ID: <>\n\n").message_id, "");
  EXPECT_EQ(KeyOf("To: x\n\nMessage-ID: <a@b>\n").message_id, "");
}

TEST(KeyOf, LongMessageIdsStayDistinct) {
  const std::string longest(255, 'x');
  EXPECT_EQ(KeyOf("Message-ID: <" + longest + ">\n\n").message_id, longest);
  const std::string one = KeyOf("Message-ID: <" + longest + "1>\n\n").message_id;
  const std::string other = KeyOf("Message-ID: <" + longest + "2>\n\n").message_id;
  EXPECT_EQ(one.size(), 255U);
  EXPECT_NE(one, other);
}

TEST(KeyOf, LineEndsAndTrailingBlankLinesDoNotCount) {
  EXPECT_EQ(DigestOf("a\nb\n"), DigestOf("a\r\nb\r\n"));
  EXPECT_EQ(DigestOf("a\nb\n"), DigestOf("a\nb"));
  EXPECT_EQ(DigestOf("a\nb\n"), DigestOf("a\r\nb\n\r\n\n"));
  EXPECT_EQ(DigestOf(""), DigestOf("\r\n\n"));
}

TEST(KeyOf, EverythingElseCounts) {
  EXPECT_NE(DigestOf("a\nb"), DigestOf("a\n\nb"));
  EXPECT_NE(DigestOf("a\rb"), DigestOf("ab"));
  EXPECT_NE(DigestOf("\na"), DigestOf("a"));
  EXPECT_NE(DigestOf("a "), DigestOf("a"));
  EXPECT_EQ(DigestOf("a").size(), 16U);
}

TEST(KeyOf, DeliveryHeadersDoNotCount) {
  EXPECT_EQ(KeyOf("From x\nReceived: y\nMessage-ID: <a>\n\nbody\n"), KeyOf("Message-ID: <a>\r\n\r\nbody"));
}

// Compares the digest with that of a normalised copy.
TEST(KeyOf, IsTheDigestOfTheNormalisedBody) {
  for (uint64_t seed = 0; seed < 5000; ++seed) {
    const std::string body = HostileText(seed).Message(40);
    std::string normal;
    for (size_t i = 0; i < body.size(); ++i) {
      if (body[i] != '\r' || i + 1 == body.size() || body[i + 1] != '\n') normal += body[i];
    }
    while (normal.ends_with('\n')) normal.pop_back();
    ASSERT_EQ(DigestOf(body), fmt::format("{:016x}", XXH3_64bits(normal.data(), normal.size()))) << seed;
  }
}

}  // namespace
}  // namespace thresher::tokenizer
