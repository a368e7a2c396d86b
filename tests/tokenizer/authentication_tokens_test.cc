#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/tokenizer/token_texts.h"

namespace thresher::tokenizer {
namespace {

using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::IsSupersetOf;
using ::testing::Not;
using ::testing::StartsWith;

std::set<std::string> AuthenticationTokensOf(std::string_view head) {
  Options options = NoTokens();
  options.authentication = true;
  return TokenTexts(std::string(head) + "\nbody\n", options);
}

TEST(AuthenticationTokens, ResultsOfTheReadersServer) {
  const std::set<std::string> tokens = AuthenticationTokensOf(
      "Authentication-Results: mx.example; dkim=pass (2048-bit key) header.d=mail.bank.example "
      "header.b=QUJD;\n\tspf=pass smtp.mailfrom=bounce@sender.example; dmarc=fail (p=none) "
      "header.from=bank.example; arc=none\n"
      "Authentication-Results: forged.example; dmarc=pass\n"
      "ARC-Authentication-Results: i=1; mx.example; spf=softfail smtp.mailfrom=a@b.example\n"
      "Received-SPF: Pass (mx.example: domain of a@b.example)\n"
      "From: Bank <info@bank.example>\n");
  EXPECT_THAT(tokens, IsSupersetOf({"auth:dkim:pass", "auth:dkim:from-domain", "auth:spf:pass",
                                    "auth:spf:other-domain", "auth:dmarc:fail", "auth:arc:none",
                                    "auth:arc-spf:softfail", "auth:received-spf:pass"}));
  EXPECT_THAT(tokens, Not(Contains("auth:dmarc:pass")));
  EXPECT_THAT(tokens, Not(Contains(HasSubstr("qujd"))));
}

TEST(AuthenticationTokens, ResultsOfAServerThatWritesNoName) {
  const std::set<std::string> tokens = AuthenticationTokensOf(
      "Authentication-Results: spf=pass (sender IP is 192.0.2.1)\n smtp.mailfrom=mail.bank.example; "
      "dkim=fail\n"
      " header.d=b.example;dmarc=pass action=none header.from=bank.example\n"
      "ARC-Authentication-Results: i=1; spf=fail; dkim=none\n"
      "From: Bank <info@bank.example>\n");
  EXPECT_THAT(tokens, IsSupersetOf({"auth:spf:pass", "auth:spf:from-domain", "auth:dkim:fail",
                                    "auth:dmarc:pass", "auth:arc-spf:fail", "auth:arc-dkim:none"}));
  EXPECT_THAT(tokens, Not(Contains(StartsWith("auth:arc-i"))));
  EXPECT_THAT(AuthenticationTokensOf("Authentication-Results: spf=none\n"), Contains("auth:spf:none"));
  EXPECT_THAT(AuthenticationTokensOf("Authentication-Results: mx.example =pass; mx.example 1; none\n"),
              Not(Contains(StartsWith("auth:mx"))));
}

TEST(AuthenticationTokens, TheNewestSeal) {
  const std::string newest =
      "ARC-Seal: i=2; a=rsa-sha256; t=1; cv=Fail;\n d=sealer.example; s=arc; b=QUJD cv=none\n";
  const std::string first = "ARC-Seal: i=1; a=rsa-sha256; cv=none; d=sender.example; s=x; b=QUJE\n";
  EXPECT_THAT(AuthenticationTokensOf(newest + first),
              testing::AllOf(Contains("auth:arc-seal:fail"), Not(Contains("auth:arc-seal:none")),
                             Not(Contains(HasSubstr("quj")))));
  // A sender can write any below that of the server, with any number.
  EXPECT_THAT(AuthenticationTokensOf(newest + "ARC-Seal: i=50; cv=pass; d=sender.example\n" + first),
              testing::AllOf(Contains("auth:arc-seal:fail"), Not(Contains("auth:arc-seal:pass"))));
  for (const char* value :
       {"", "cv", "cv=", "i=1; xcv=pass", "i=1 cv=pass", "i=cv=pass", "a=\"; cv\"=pass"}) {
    EXPECT_THAT(AuthenticationTokensOf(std::string("ARC-Seal: ") + value + "\nArc-Seal: i=9; cv=pass\n"),
                Not(Contains(StartsWith("auth:arc-seal:"))))
        << value;
  }
}

TEST(AuthenticationTokens, CommentsAndQuotedTextsHideNoResult) {
  const std::set<std::string> tokens = AuthenticationTokensOf(
      "Authentication-Results: mx.example; dkim=pass (2048-bit key; unprotected) header.d=bank.example;\n"
      " spf=fail reason=\"x; spf=pass\" (y; dmarc=pass)\nFrom: info@bank.example\n");
  EXPECT_THAT(tokens, IsSupersetOf({"auth:dkim:pass", "auth:dkim:from-domain", "auth:spf:fail"}));
  EXPECT_THAT(tokens, Not(Contains("auth:spf:pass")));
  EXPECT_THAT(tokens, Not(Contains("auth:dmarc:pass")));
}

TEST(AuthenticationTokens, WhoSigned) {
  const std::set<std::string> tokens = AuthenticationTokensOf(
      "From: joe@example.com\n"
      "DKIM-Signature: v=1; a=rsa-sha256; c=relaxed/relaxed; d=mail.example.com; s=s2048;\n"
      " h=from:to; bh=AAAA=; b=BBBB=\n"
      "DKIM-Signature: v=1; d=service.example; s=k1\n");
  EXPECT_THAT(tokens,
              IsSupersetOf({"auth:signer:mail.example.com", "auth:signer:example.com", "auth:selector:s2048",
                            "auth:algorithm:rsa-sha256", "auth:signer:from-domain",
                            "auth:signer:service.example", "auth:signer:other-domain", "auth:signatures:2"}));
  EXPECT_THAT(tokens, Not(Contains(HasSubstr("bbbb"))));
}

// Senders choose a part of other values.
TEST(AuthenticationTokens, NoNameIsInAnotherValue) {
  const auto has_bank = Contains(testing::AnyOf(HasSubstr("bank"), HasSubstr("from-domain")));
  const std::string from = "From: info@bank.example\n";
  for (const std::string value :
       {"x/header.d=bank.example(@evil.example", "x/header.d=bank.example/@evil.example header.s=s",
        "\"x header.d=bank.example\"@evil.example", "@evil.example (x header.d=bank.example)"}) {
    EXPECT_THAT(
        AuthenticationTokensOf("Authentication-Results: mx.me; dkim=pass header.i=" + value + "\n" + from),
        Not(has_bank))
        << value;
  }
  EXPECT_THAT(
      AuthenticationTokensOf("Authentication-Results: mx.me; dkim=pass\n\theader.d = bank.example\n" + from),
      Contains("auth:dkim:from-domain"));
  for (const std::string other :
       {"x=/d=bank.example", "x=y d=bank.example", "dd=bank.example", "d/=bank.example"}) {
    EXPECT_THAT(AuthenticationTokensOf("DKIM-Signature: v=1; " + other + "; d=evil.example;s=k\n" + from),
                testing::AllOf(Not(has_bank), IsSupersetOf({"auth:signer:evil.example", "auth:selector:k"})))
        << other;
  }
  EXPECT_THAT(AuthenticationTokensOf("DKIM-Signature: d =\n bank.example ;v=1\n" + from),
              Contains("auth:signer:from-domain"));
}

TEST(AuthenticationTokens, Unsubscribing) {
  EXPECT_THAT(
      AuthenticationTokensOf("From: a@news.example\nList-Unsubscribe: <mailto:leave@lists.news.example>,\n"
                             " <https://track.other.example/u?x=1>\n"),
      IsSupersetOf({"auth:unsubscribe:lists.news.example", "auth:unsubscribe:from-domain",
                    "auth:unsubscribe:track.other.example", "auth:unsubscribe:other-domain"}));
}

TEST(AuthenticationTokens, BrokenHeaders) {
  for (const char* value : {"", ";", "=", ";;;=;", "x; spf", "x; spf=", "x; =pass",
                            "x; dkim=pass header.d=", "x; dkim=pass header.d=\"", "d=", "s=;d=@"}) {
    const auto tokens = AuthenticationTokensOf(std::string("Authentication-Results: ") + value +
                                               "\nDKIM-Signature: " + value + "\nReceived-SPF:\n");
    EXPECT_THAT(tokens, Not(Contains(testing::EndsWith(":")))) << value;
  }
  std::string many = "Authentication-Results: x";
  for (int i = 0; i < 1000; ++i) many += "; m" + std::to_string(i) + "=pass";
  EXPECT_LT(AuthenticationTokensOf(many + "\n").size(), 50u);
}

// What is read here gives no words elsewhere; without this family it does.
TEST(AuthenticationTokens, TheHeadersGiveNoWords) {
  Options options = NoTokens();
  options.headers = true;
  const std::string head =
      "Authentication-Results: mx.example; spf=pass\nDKIM-Signature: d=a.example; s=k\n\n";
  EXPECT_THAT(TokenTexts(head, options),
              IsSupersetOf({"header:authentication-results:pass", "header:dkim-signature:k"}));
  options.authentication = true;
  EXPECT_THAT(TokenTexts(head, options), Not(Contains(StartsWith("header:authentication-results:"))));
  EXPECT_THAT(TokenTexts(head, options), Not(Contains(StartsWith("header:dkim-signature:"))));
}

}  // namespace
}  // namespace thresher::tokenizer
