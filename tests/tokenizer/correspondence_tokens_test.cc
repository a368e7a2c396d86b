#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/tokenizer/hostile_text.h"
#include "tests/tokenizer/token_texts.h"
#include "tokenizer/mail_address.h"

namespace thresher::tokenizer {
namespace {

using ::testing::Contains;
using ::testing::IsSupersetOf;
using ::testing::Not;
using ::testing::StartsWith;

std::string Repeated(std::string_view piece, size_t times) {
  std::string text;
  for (size_t i = 0; i < times; ++i) text += piece;
  return text;
}

std::set<std::string> CorrespondenceTokensOf(std::string_view message) {
  Options options = NoTokens();
  options.correspondence = true;
  return TokenTexts(message, options);
}

TEST(CorrespondenceTokens, AddressesThatFit) {
  EXPECT_THAT(CorrespondenceTokensOf("From: Joe Doe <joe.d@Example.COM>\nReply-To: joe.d@example.com\n"
                                     "Return-Path: <bounce@mail.example.com>\n\n"),
              IsSupersetOf({"sender:tld:com", "sender:name:fits-address", "sender:reply-to:same-address",
                            "sender:return-path:from-domain"}));
}

TEST(CorrespondenceTokens, AddressesThatDoNot) {
  EXPECT_THAT(
      CorrespondenceTokensOf("From: \"service@bank.example\" <x17@cheap.top>\nReply-To: other@cheap.top\n"
                             "Return-Path: <x@third.example>\nTo: victim@here.example\n"
                             "Subject: VICTIM, confirm victim@here.example\n\n"),
      IsSupersetOf({"sender:tld:top", "sender:name:is-other-address", "sender:name:fits-no-address",
                    "sender:reply-to:other-address", "sender:return-path:other-domain",
                    "sender:subject:has-address", "sender:subject:has-recipient"}));
  EXPECT_THAT(CorrespondenceTokensOf("From: a@b.example\nTo: a@b.example\n\n"),
              IsSupersetOf({"sender:name:is-missing", "sender:writes-to-itself"}));
}

// What is encoded is text, whatever signs are in it.
TEST(CorrespondenceTokens, EncodedNamesHoldNoSyntax) {
  for (const char* name : {"service=40paypal.example=2C_PayPal", "service=40paypal.example_=28PayPal",
                           "=22service=40paypal.example=22", "=3Cservice=40paypal.example=3E"}) {
    EXPECT_THAT(
        CorrespondenceTokensOf("From: =?utf-8?q?" + std::string(name) + "?= <evil@x.example>\n\n"),
        testing::AllOf(Contains("sender:name:is-other-address"), Not(Contains("sender:name:is-missing"))))
        << name;
  }
  EXPECT_THAT(CorrespondenceTokensOf("From: =?utf-8?q?Evil?=\n =?utf-8?q?=2C?= <evil@x.example>\n\n"),
              Contains("sender:name:fits-address"));
}

TEST(CorrespondenceTokens, CommentsHoldNoName) {
  EXPECT_THAT(CorrespondenceTokensOf("From: a@b.example (Joe <joe@c.example>)\nTo: a@b.example\n\n"),
              IsSupersetOf({"sender:name:is-missing", "sender:writes-to-itself"}));
  EXPECT_THAT(
      CorrespondenceTokensOf("From: Joe @ Work <joe@b.example>\n\n"),
      testing::AllOf(Contains("sender:name:fits-address"), Not(Contains("sender:name:is-other-address"))));
}

TEST(CorrespondenceTokens, TheNameInASenderHeaderIsAnother) {
  Options options = NoTokens();
  options.headers = true;
  std::set<std::string> names = TokenTexts(
      "Sender: none is missing, is-missing, fits-address, is-other-address <a@b.example>\n\n", options);
  std::erase_if(names, [](const std::string& token) { return !token.starts_with("sender:name:"); });
  EXPECT_THAT(names, Contains("sender:name:none"));
  for (const std::string_view from :
       {"a@b.example", "Abc <abc@b.example>", "Joe <a@b.example>", "<x@y.example> <a@b.example>",
        "\"x@y.example\" <a@b.example>", "\"a@b.example\" <a@b.example>"}) {
    for (const std::string& token : CorrespondenceTokensOf("From: " + std::string(from) + "\n\n"))
      EXPECT_THAT(names, Not(Contains(token)));
  }
}

TEST(CorrespondenceTokens, RepliesAndWhatLooksLikeThem) {
  EXPECT_THAT(CorrespondenceTokensOf("Subject: Re: x\nIn-Reply-To: <a@b>\n\n> quoted\n"),
              IsSupersetOf({"reply:subject:answers", "reply:answers,quotes"}));
  const auto forged = CorrespondenceTokensOf("Subject: RE: your invoice\n\npay\n");
  EXPECT_THAT(forged, IsSupersetOf({"reply:subject:answers-nothing", "reply:begins"}));
  EXPECT_THAT(CorrespondenceTokensOf("Subject: Regards\n\n"), Not(Contains(StartsWith("reply:subject:"))));
}

TEST(MailAddress, First) {
  EXPECT_EQ(FirstAddress("Joe <JOE@Example.com>"), "joe@example.com");
  EXPECT_EQ(FirstAddress("Doe, Joe <a@b.example>, Roe <c@d.example>"), "a@b.example");
  EXPECT_EQ(FirstAddress("\"x@y.example, Joe\" <a@b.example>"), "a@b.example");
  EXPECT_EQ(FirstAddress("a@b.example, <c@d.example>"), "a@b.example");
  EXPECT_EQ(FirstAddress("(x@y.example, ) <a@b.example>"), "a@b.example");
  EXPECT_EQ(FirstAddress("\"a@b.c\" <x@y.z.>"), "x@y.z");
  EXPECT_EQ(FirstAddress("x@y, z@w"), "x@y");
  for (const char* none : {"", "@", "joe", "<>", "joe@", "<@>"}) {
    EXPECT_EQ(DomainOf(FirstAddress(none)), "") << none;
  }
  HostileText texts(3);
  for (int i = 0; i < 2000; ++i) {
    const std::string address = FirstAddress(texts.Message(20));
    EXPECT_THAT(std::string(DomainOf(address)), testing::Not(testing::ContainsRegex("[][ <>,;:\"\t\n]")))
        << address;
  }
}

TEST(MailAddress, FirstAsMailProgramsReadIt) {
  for (const char* value :
       {"evil@spam.example (a <b@c.example>)", "Evil <evil @ spam.example>", "evil @ spam.example",
        "Evil <evil@(x)spam.example>", "Evil <evil(a (b) \\) <c@d>)@\r\n spam.example>",
        "Evil <evil@spam(x) . example.>", "Evil <@relay.example:evil@spam.example>",
        "< @a.example, @b.example : evil@spam.example>, c@d.example",
        "\"a <b@c.example>\" <evil@spam.example>", "\"evil\"@spam.example",
        "Evil <\"ev\\il\"@spam.example>, c@d.example", "\"a (\" <evil@spam.example> (b)",
        "a ( <evil@spam.example>", "a \" <evil@spam.example>", "(a ( b) <evil@spam.example>",
        "\"evil@spam.example\"", "evil@spam.example (c@d.example)", "(c@d.example) evil@spam.example",
        "<b@c.example> <evil@spam.example> <x>"}) {
    EXPECT_EQ(FirstAddress(value), "evil@spam.example") << value;
  }
  for (const char* value :
       {"evil@spam . example", "evil@spam(x).\r\n example.", "evil@spam . example . , c@d.example",
        "evil@spam.example . <", "evil@spam.example (a) - b"}) {
    EXPECT_EQ(FirstAddress(value), "evil@spam.example") << value;
  }
  EXPECT_EQ(FirstAddress("\"a <b@c.example>\"@spam.example"), "a <b@c.example>@spam.example");
  EXPECT_EQ(FirstAddress(std::string(1100, 'x') + " <evil@spam.example>"), "evil@spam.example");
  EXPECT_EQ(FirstAddress("a <" + std::string(100'000, ' ') + "evil@spam.example>"), "evil@spam.example");
}

TEST(MailAddress, HostileValuesAreLinear) {
  constexpr size_t kTimes = 500'000;
  for (const std::string_view piece :
       {"(", "()", "\"", "\\\"", "\"\\", "<", "<@", "@", ", ", "( \"", "a <@b, ", " .", "))("}) {
    const std::string value = Repeated(piece, kTimes);
    for (const char* end : {"", ")", "\"", "<a@b.example>"}) {
      const std::string address = FirstAddress(value + end);
      EXPECT_LE(address.size(), value.size() + 20) << piece;
    }
    EXPECT_LE(FirstAddress("<" + value + "a@b" + value).size(), 2 * value.size()) << piece;
  }
}

TEST(MailAddress, InNames) {
  EXPECT_EQ(AddressInName("Joe (a@B.example)"), "a@b.example");
  EXPECT_EQ(AddressInName("\"a@b.example\""), "a@b.example");
  EXPECT_EQ(AddressInName("Joe @ Work"), "");
  EXPECT_EQ(AddressInName("a@b.example. Joe"), "a@b.example");
}

TEST(MailAddress, DomainsAreEncodedIfTheyAreNotAscii) {
  const std::string encoded = "j\u00F6rg@xn--mnchen-3ya.example";
  for (const char* value : {"j\u00F6rg@m\u00FCnchen.example", "J <j\u00F6rg@M\u00DCnchen . Example>",
                            "j\u00F6rg@mu\u0308nchen.example", "j\u00F6rg@XN--mnchen-3ya.example"}) {
    EXPECT_EQ(FirstAddress(value), encoded) << value;
  }
  EXPECT_EQ(AddressInName("\"j\u00F6rg@m\u00FCnchen.example\""), encoded);
  for (const std::string& domain :
       {std::string("caf\xE9.example"), Repeated("\u00FC", 200), std::string("a\u200E\u00FC.b")})
    EXPECT_EQ(FirstAddress("a@" + domain), "a@" + domain) << domain;
}

TEST(MailAddress, Alignment) {
  EXPECT_TRUE(AreAligned("mail.m\u00FCnchen.example", "xn--mnchen-3ya.example"));
  EXPECT_TRUE(AreAligned("xn--mnchen-3ya.example", "m\u00FCnchen.example"));
  EXPECT_FALSE(AreAligned("m\u00F6nchen.example", "xn--mnchen-3ya.example"));
  EXPECT_TRUE(AreAligned("example.com", "mail.example.com"));
  EXPECT_TRUE(AreAligned("mail.example.com", "example.com"));
  EXPECT_FALSE(AreAligned("badexample.com", "example.com"));
  EXPECT_FALSE(AreAligned("", "example.com"));
  EXPECT_FALSE(AreAligned("", ""));
}

}  // namespace
}  // namespace thresher::tokenizer
