#include "tokenizer/message_key.h"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <xxhash.h>

#include <set>
#include <string>
#include <vector>

#include "tests/tokenizer/hostile_text.h"
#include "tokenizer/subject_tag.h"

namespace thresher::tokenizer {
namespace {

const KeyMaker& Keys() {
  static const KeyMaker kKeys(std::string(KeyMaker::kSecretBytes, 's'), {});
  return kKeys;
}

MessageKey KeyOf(const std::string& message) { return Keys().KeysOf(message).own; }
std::string DigestOf(const std::string& body) { return KeyOf("A: b\n\n" + body).digest; }

TEST(MessageKeys, MessageId) {
  EXPECT_EQ(KeyOf("Message-ID: <a@b>\n\n").message_id, "a@b");
  EXPECT_EQ(KeyOf("MESSAGE-id:\n <a@\r\n b> (c)\n\n").message_id, "a@b");
  EXPECT_EQ(KeyOf("Message-ID: bare id\n\n").message_id, "bareid");
  EXPECT_EQ(KeyOf("Message-ID: <open\n\n").message_id, "open");
  EXPECT_EQ(KeyOf("Message-ID: <>\n\n").message_id, "");
  EXPECT_EQ(KeyOf("To: x\n\nMessage-ID: <a@b>\n").message_id, "");
}

TEST(MessageKeys, LongMessageIdsStayDistinct) {
  const std::string longest(255, 'x');
  EXPECT_EQ(KeyOf("Message-ID: <" + longest + ">\n\n").message_id, longest);
  const std::string one = KeyOf("Message-ID: <" + longest + "1>\n\n").message_id;
  const std::string other = KeyOf("Message-ID: <" + longest + "2>\n\n").message_id;
  EXPECT_EQ(one.size(), 255U);
  EXPECT_NE(one, other);
  EXPECT_EQ(CleanMessageId("<" + longest + "1>"), one);
  EXPECT_EQ(CleanMessageId(one), one);
}

TEST(MessageKeys, LineEndsAndTrailingBlankLinesDoNotCount) {
  EXPECT_EQ(DigestOf("a\nb\n"), DigestOf("a\r\nb\r\n"));
  EXPECT_EQ(DigestOf("a\nb\n"), DigestOf("a\nb"));
  EXPECT_EQ(DigestOf("a\nb\n"), DigestOf("a\r\nb\n\r\n\n"));
  EXPECT_EQ(DigestOf(""), DigestOf("\r\n\n"));
}

TEST(MessageKeys, EverythingElseOfTheBodyCounts) {
  EXPECT_NE(DigestOf("a\nb"), DigestOf("a\n\nb"));
  EXPECT_NE(DigestOf("a\rb"), DigestOf("ab"));
  EXPECT_NE(DigestOf("\na"), DigestOf("a"));
  EXPECT_NE(DigestOf("a "), DigestOf("a"));
  EXPECT_EQ(DigestOf("a").size(), 32U);
}

TEST(MessageKeys, DeliveryHeadersAndFoldingDoNotCount) {
  EXPECT_EQ(KeyOf("From x\nReceived: y\nMessage-ID: <a>\nFrom: b\n c\n\nbody\n"),
            KeyOf("Message-ID: <a>\r\nTo: z\r\nFrom:  b c \r\n\r\nbody"));
}

TEST(MessageKeys, WhatIdentifiesAMailCounts) {
  const std::vector<std::string> heads = {"",
                                          "From: a\n",
                                          "From: b\n",
                                          "Date: a\n",
                                          "Subject: a\n",
                                          "Subject: Re: a\n",
                                          "From: a\nFrom: a\n",
                                          "From: a\nSubject: a\n",
                                          "Message-ID: a\n",
                                          "Message-ID: <a>\n",
                                          "Date: aFrom:b\n",
                                          "From: a\nDate: a\n"};
  std::set<std::string> digests;
  for (const std::string& head : heads) digests.insert(KeyOf("To: x\n" + head + "\nbody").digest);
  EXPECT_EQ(digests.size(), heads.size());
}

TEST(MessageKeys, TagsOfListsAndFiltersDoNotCount) {
  for (const std::string tagged :
       {"[list] Re: minutes", "Re: [list] minutes", "***SPAM*** Re: minutes", "[SPAM] [list] Re:  minutes",
        "{Spam?} Re: minutes", "*****SPAM***** Re:minutes", "[SPAM]\n Re: minutes"}) {
    EXPECT_EQ(KeyOf("From: a\nSubject: " + tagged + "\n\nbody"),
              KeyOf("From: a\nSubject: Re: minutes\n\nbody"))
        << tagged;
  }
  EXPECT_EQ(WithoutTags("minutes [1] of [2]"), "minutes [1] of [2]");
  EXPECT_EQ(WithoutTags("[never closed"), "[never closed");
  EXPECT_EQ(WithoutTags("*"), "*");
  EXPECT_EQ(WithoutTags("*******"), "*******");
  EXPECT_EQ(WithoutTags("note: this"), "note: this");
}

TEST(MessageKeys, AnotherSecretGivesAnotherDigest) {
  const std::string message = "Message-ID: <a@b>\nFrom: a\n\nbody";
  const KeyMaker other(std::string(KeyMaker::kSecretBytes, 't'), {});
  const std::string digest = other.KeysOf(message).own.digest;
  EXPECT_NE(digest.substr(0, 16), KeyOf(message).digest.substr(0, 16));
  EXPECT_NE(digest.substr(16), KeyOf(message).digest.substr(16));
}

TEST(MessageKeys, OurHeaderFindsAMessageThatAListRewrote) {
  const std::string rest = "Message-ID: <a@b>\nDate: today\n\nbody\n";
  const std::string first = KeyOf("From: alice\nSubject: hello\n" + rest).digest;
  const auto header = [&](const std::string& digest) {
    return "X-Thresher: Ham, probability=0.100000, margin=-2, key=" + digest + ", version=0.1.0\n";
  };
  const std::string rewritten = "From: alice via list\nSubject: hello, rewritten\n" + rest;
  const MessageKeys keys = Keys().KeysOf(header(first) + rewritten);
  ASSERT_TRUE(keys.delivered.has_value());
  EXPECT_EQ(keys.delivered->digest, first);
  EXPECT_EQ(keys.delivered->message_id, "a@b");
  EXPECT_NE(keys.own.digest, first);
  EXPECT_FALSE(Keys().KeysOf(header(keys.own.digest) + rewritten).delivered.has_value());

  // For another message, another secret, or in another form it says nothing.
  EXPECT_FALSE(Keys().KeysOf(header(first) + rewritten + "more\n").delivered.has_value());
  EXPECT_FALSE(Keys().KeysOf(header(first) + "Date: tomorrow\n" + rewritten).delivered.has_value());
  const KeyMaker other(std::string(KeyMaker::kSecretBytes, 't'), {});
  EXPECT_FALSE(other.KeysOf(header(first) + rewritten).delivered.has_value());
  for (const std::string& wrong : {first.substr(1), first + "0", first.substr(0, 16), std::string()})
    EXPECT_FALSE(Keys().KeysOf(header(wrong) + rewritten).delivered.has_value()) << wrong;
}

TEST(MessageKeys, WithoutASecretTheyAreThoseOfOlderReleases) {
  const MessageKeys older = KeyMaker("", {}).KeysOf("From: a\nMessage-ID: <x>\n\nbody\n");
  EXPECT_EQ(older.own, (MessageKey{"x", fmt::format("{:016x}", XXH3_64bits("body", 4))}));
  EXPECT_FALSE(older.unkeyed.has_value());
  EXPECT_EQ(Keys().KeysOf("From: b\nMessage-ID: <x>\n\nbody\n").unkeyed, older.own);
}

std::string Normal(const std::string& body) {
  std::string normal;
  for (size_t i = 0; i < body.size(); ++i) {
    if (body[i] != '\r' || i + 1 == body.size() || body[i + 1] != '\n') normal += body[i];
  }
  while (normal.ends_with('\n')) normal.pop_back();
  return normal;
}

// Compares both digests with those of a normalised copy.
TEST(MessageKeys, AreThoseOfTheNormalisedBody) {
  for (uint64_t seed = 0; seed < 5000; ++seed) {
    const std::string body = HostileText(seed).Message(40);
    const std::string normal = Normal(body);
    ASSERT_EQ(KeyMaker("", {}).KeysOf("A: b\n\n" + body).own.digest,
              fmt::format("{:016x}", XXH3_64bits(normal.data(), normal.size())))
        << seed;
    if (Normal(normal) != normal) continue;  // a second CR before an LF
    ASSERT_EQ(DigestOf(body), DigestOf(normal)) << seed;
  }
}

}  // namespace
}  // namespace thresher::tokenizer
