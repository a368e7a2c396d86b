#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/tokenizer/token_texts.h"

namespace thresher::tokenizer {
namespace {

using ::testing::AllOf;
using ::testing::Contains;
using ::testing::IsSupersetOf;
using ::testing::Not;
using ::testing::StartsWith;

std::set<std::string> HeaderTokensOf(std::string_view head) {
  Options options = NoTokens();
  options.headers = true;
  return TokenTexts(std::string(head) + "\nbody\n", options);
}

TEST(HeaderTokens, Subject) {
  EXPECT_THAT(HeaderTokensOf("Subject: FREE Money   12\n"),
              IsSupersetOf({"subject:free", "subject:money", "subject:12", "subject:shape:capitals",
                            "subject:shape:gap", "subject:length:16", "header:name:Subject",
                            "header:order:>Subject"}));
  EXPECT_THAT(HeaderTokensOf("Subject: free\n"), Not(Contains(StartsWith("subject:shape:"))));
}

TEST(HeaderTokens, EncodedSubject) {
  EXPECT_THAT(HeaderTokensOf("Subject: =?iso-8859-1?Q?Gr=FC=DFe?=\n"),
              IsSupersetOf({"subject:gr\xC3\xBCsse", "subject:shape:encoded"}));
}

TEST(HeaderTokens, TheFirstOfTwoCounts) {
  EXPECT_THAT(
      HeaderTokensOf("From: a@b.example\nFrom: c@d.example\nReply-To: e@b.example\nReply-To: f@d.example\n"
                     "Message-ID: <1@b.example>\n"),
      AllOf(IsSupersetOf({"reply-to:from-domain", "message-id:from-domain", "from:addr:c@d.example"}),
            Not(Contains("reply-to:other-domain"))));
  EXPECT_THAT(HeaderTokensOf("From: a@b.example\nFrom: c@d.example\nReply-To: e@d.example\n"),
              Contains("reply-to:other-domain"));
}

// Programs show the first.
TEST(HeaderTokens, AnotherSubjectIsNone) {
  const auto tokens = HeaderTokensOf("Subject: buy\nSUBJECT: kernel =?utf-8?q?patch?=\n");
  EXPECT_THAT(tokens, IsSupersetOf({"subject:buy", "header:again:SUBJECT", "header:name:SUBJECT"}));
  for (const char* unseen : {"subject:kernel", "subject:patch", "subject:shape:encoded", "subject:length:32"})
    EXPECT_THAT(tokens, Not(Contains(unseen)));
  EXPECT_THAT(HeaderTokensOf("Subject: buy\n"), Not(Contains(StartsWith("header:again:"))));
}

// However many labels its owner puts before it.
TEST(HeaderTokens, TheDomainOfManyLabels) {
  const std::set<std::string> tokens = HeaderTokensOf(
      "From: x@a.b.c.d.e.spam.example\nMessage-ID: <1@f.g.h.i.j.spam.example>\n"
      "Received: from k.l.m.n.o.spam.example\n");
  EXPECT_THAT(tokens, IsSupersetOf({"from:domain:a.b.c.d.e.spam.example", "from:domain:d.e.spam.example",
                                    "from:domain:e.spam.example", "from:domain:spam.example",
                                    "message-id:domain:spam.example", "received:host:spam.example"}));
  EXPECT_THAT(tokens, Not(Contains("from:domain:c.d.e.spam.example")));
  EXPECT_THAT(tokens, Not(Contains("from:domain:example")));
}

TEST(HeaderTokens, PairsOfTheSubject) {
  Options options = NoTokens();
  options.headers = options.word_pairs = true;
  EXPECT_THAT(TokenTexts("Subject: a b c\n\n", options),
              IsSupersetOf({"pair:subject:a b", "pair:subject:b c"}));
}

TEST(HeaderTokens, Addresses) {
  EXPECT_THAT(
      HeaderTokensOf("From: \"Joe Doe\" <Joe.D@Mail.Example.co.uk>\nReply-To: x@other.example\n"),
      IsSupersetOf({"from:addr:joe.d@mail.example.co.uk", "from:domain:mail.example.co.uk",
                    "from:domain:example.co.uk", "from:domain:co.uk", "from:name:joe", "from:name:doe",
                    "from:count:1", "reply-to:addr:x@other.example", "reply-to:other-domain"}));
}

TEST(HeaderTokens, AddressesWithBlanksAndComments) {
  for (const char* from :
       {"Evil <evil @ spam.example>", "Evil <evil@\n spam.example>", "Evil <evil@(x)spam.example>"}) {
    EXPECT_THAT(
        HeaderTokensOf(std::string("From: ") + from + "\n"),
        AllOf(IsSupersetOf({"from:addr:evil@spam.example", "from:domain:spam.example", "from:count:1"}),
              Not(Contains("from:none"))))
        << from;
  }
}

// To look where it is written would take long.
TEST(HeaderTokens, AddressesLongerThanATokenHaveNone) {
  const std::string fits = std::string(115, 'x') + "@ spam.example";
  EXPECT_THAT(HeaderTokensOf("From: <" + fits + ">\n"), Contains(StartsWith("from:addr:xxx")));
  EXPECT_THAT(HeaderTokensOf("From: <xxx" + fits + ">\n"),
              AllOf(Not(Contains(StartsWith("from:addr:"))), Contains("from:count:0")));
}

TEST(HeaderTokens, BothWaysToWriteADomain) {
  EXPECT_THAT(HeaderTokensOf("From: <j\u00F6rg@m\u00FCnchen.example>\nReply-To: a@xn--mnchen-3ya.example\n"
                             "Message-ID: <1@M\u00FCnchen.example>\n"),
              IsSupersetOf({"from:domain:m\u00FCnchen.example", "from:domain:xn--mnchen-3ya.example",
                            "from:count:1", "reply-to:from-domain", "message-id:from-domain",
                            "message-id:domain:xn--mnchen-3ya.example"}));
}

TEST(HeaderTokens, TheNameIsNotTheSender) {
  EXPECT_THAT(
      HeaderTokensOf("From: \"info@bank.example\" <x@evil.example>\nReply-To: y@evil.example\n"
                     "Message-ID: <1@bank.example>\n"),
      IsSupersetOf({"from:addr:info@bank.example", "reply-to:from-domain", "message-id:other-domain"}));
}

TEST(HeaderTokens, ManyAddressesAreACount) {
  std::string to = "To: ";
  for (int i = 0; i < 100; ++i) to.append("u").append(std::to_string(i)).append("@example.com, ");
  const std::set<std::string> tokens = HeaderTokensOf(to + "\n");
  EXPECT_THAT(tokens, IsSupersetOf({"to:addr:u0@example.com", "to:count:128"}));
  EXPECT_THAT(tokens, Not(Contains("to:addr:u50@example.com")));
}

TEST(HeaderTokens, BrokenAddresses) {
  EXPECT_THAT(HeaderTokensOf("To: undisclosed recipients:;\n"),
              AllOf(Contains("to:name:undisclosed"), Contains("to:count:0"), Contains("from:none")));
  for (const char* value : {"@", "a@", "@b", "a@@b", "<<a@.>>", "a@b@c", "\"@\"@x", ""}) {
    EXPECT_THAT(HeaderTokensOf(std::string("To: ") + value + "\n"), Contains(StartsWith("to:count:")))
        << value;
  }
}

TEST(HeaderTokens, Received) {
  const std::set<std::string> tokens = HeaderTokensOf(
      "Received: from mx.example.com (unknown [192.0.2.7])\n\tby a.b (8.9.3/8.9.3) with ESMTP id g8AB12\n"
      "Received: from 999.0.2.7 by x; Mon, 2 Sep 2002\n");
  EXPECT_THAT(tokens,
              IsSupersetOf({"received:ip:192.0.2.7", "received:ip:192.0.2", "received:ip:192.0",
                            "received:host:mx.example.com", "received:host:example.com", "received:host:a.b",
                            "received:word:esmtp", "received:word:unknown", "received:count:2"}));
  EXPECT_THAT(tokens, Not(Contains("received:ip:999.0.2.7")));
  EXPECT_THAT(tokens, Not(Contains("received:ip:8.9.3")));
  EXPECT_THAT(tokens, Not(Contains("received:word:g8ab12")));
  EXPECT_THAT(tokens, Not(Contains("received:word:sep")));
}

TEST(HeaderTokens, ReceivedByIpv6) {
  const std::set<std::string> tokens = HeaderTokensOf(
      "Received: from mx.example.com (mx.example.com [IPv6:2001:DB8:A:0bad::1]) by x with ESMTPS; Mon, 1 "
      "Jan\n"
      "Received: from x ([2001:db8:dead:beef:1:2:3:4]) by y (2603:10a6:20b::17) with ESMTP\n"
      "Received: from z ([::ffff:192.0.2.7]:25) by a\n"
      "Received: from q ([1:2:3:4:5:6:7:8:9]) by dead:beef at 20:04:45 bad::beef::cafe " +
      std::string(1000, ':') + " for you\n");
  EXPECT_THAT(tokens, IsSupersetOf({"received:ip:2001:db8:a:bad:0:0:0:1", "received:ip:2001:db8:a:bad",
                                    "received:ip:2001:db8:a", "received:ip:2001:db8:dead:beef:1:2:3:4",
                                    "received:ip:2001:db8:dead:beef", "received:ip:2001:db8:dead",
                                    "received:ip:2603:10a6:20b:0:0:0:0:17", "received:ip:192.0.2.7",
                                    "received:ip:192.0.2", "received:host:mx.example.com",
                                    "received:word:esmtps", "received:word:you", "received:word:cafe"}));
  EXPECT_THAT(tokens, Not(Contains(StartsWith("received:ip:1:"))));
  EXPECT_THAT(HeaderTokensOf("Received: from [IPv6:dead:beef::cafe] by bad:cafe::f00d\n"),
              testing::AllOf(Not(Contains("received:word:dead")), Not(Contains("received:word:beef")),
                             Not(Contains("received:word:cafe")), Not(Contains("received:word:bad"))));
}

TEST(HeaderTokens, MessageId) {
  EXPECT_THAT(HeaderTokensOf("From: a@mail.example.com\nMessage-ID: <20020822.ABx1$c@mail.example.com>\n"),
              IsSupersetOf({"message-id:shape:<0.Aa0$a", "message-id:domain:mail.example.com",
                            "message-id:domain:example.com", "message-id:from-domain"}));
  EXPECT_THAT(HeaderTokensOf("Message-ID: <abc>\n"), Contains("message-id:no-domain"));
}

TEST(HeaderTokens, Date) {
  EXPECT_THAT(HeaderTokensOf("Date: Thu, 22 Aug 2002 18:26:25 +0700\n"),
              IsSupersetOf({"date:shape:Aa,_0_Aa_0_0:0:0_+0", "date:zone:+0700", "date:hour:18"}));
  for (const char* value : {"", ":", "+", "1:", "-12", "::::+++"}) {
    EXPECT_THAT(HeaderTokensOf(std::string("Date: ") + value + "\n"), Contains(StartsWith("date:shape:")))
        << value;
  }
}

TEST(HeaderTokens, MailerAndContentType) {
  EXPECT_THAT(HeaderTokensOf(
                  "X-Mailer: Outlook Express 6\nContent-Type: multipart/mixed; boundary=\"--=_01C2-Ab\"\n"),
              IsSupersetOf({"mailer:Outlook Express 6", "mailer:word:express",
                            "content-type:boundary:--=_0A0-Aa", "content-type:shape:a/a;_"}));
}

TEST(HeaderTokens, OthersByName) {
  EXPECT_THAT(
      HeaderTokensOf("List-Id: spam talk\nReferences: <a@b> <c@d> <e@f>\nX-8bit-\xE4: y\nList-Help: word\n"),
      AllOf(IsSupersetOf({"header:list-id:spam", "header:list-id:talk", "references:count:4",
                          "header:8-bit-name", "header:order:List-Id>References"}),
            Not(Contains("header:list-help:word"))));
}

TEST(HeaderTokens, SignaturesWithoutTheirDigests) {
  EXPECT_THAT(
      HeaderTokensOf("DKIM-Signature: v=1; a=rsa-sha256; d=example.com;\n\tbh=AbCdEf==; b=XyZ\n"),
      AllOf(Contains("header:dkim-signature:example.com"), Not(Contains("header:dkim-signature:abcdef")),
            Not(Contains("header:dkim-signature:xyz"))));
}

// A sender chooses the names of headers, and must not make tokens of another field with them.
TEST(HeaderTokens, NamesCannotFakeAnotherFamily) {
  EXPECT_THAT(HeaderTokensOf("Body: free\nUrl: host\n"),
              AllOf(Contains("header:body:free"), Not(Contains(StartsWith("body:"))),
                    Not(Contains(StartsWith("url:")))));
}

TEST(HeaderTokens, LimitOfTheHeadTruncates) {
  Options options = NoTokens();
  options.headers = true;
  options.header_bytes = 30;
  Features features;
  Tokenizer(options, 1).Tokenize("Subject: one two\nTo: a@b, c@d, e@f\n\nbody", Kind::kMail, &features);
  EXPECT_TRUE(features.truncated);
  EXPECT_THAT(features.texts, Not(::testing::HasSubstr("to:addr")));
  EXPECT_THAT(features.texts, ::testing::HasSubstr("header:cut"));
}

}  // namespace
}  // namespace thresher::tokenizer
