#include "pipeline/delivery/sender_lists.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "tests/pipeline/messages.h"
#include "tests/pipeline/program.h"

namespace thresher::pipeline {
namespace {

using testing::AllOf;
using testing::EndsWith;
using testing::HasSubstr;
using testing::StartsWith;

constexpr char kLists[] =
    "# whom we know\n"
    "allow sender Joe@Friends.example\n"
    "block domain friends.example   # but not the others\n"
    "allow domain bank.example\n"
    "\tblock domain  shop.bank.example\r\n"
    "\n"
    "allow list-id news.lists.example\n"
    "block list-id ads.lists.example";

std::string Listed(const std::string& head, std::string_view authserv_id = "") {
  const auto lists = SenderLists::Parse(kLists, "lists");
  if (!lists) return lists.error().message;
  const auto decided = lists->Decide(head + "\n\nFrom: joe@friends.example\n", authserv_id);
  if (!decided) return "";
  const bool allows = decided->entry.starts_with("allow:");
  EXPECT_TRUE(allows || decided->entry.starts_with("block:")) << decided->entry;
  EXPECT_EQ(decided->verdict, allows ? Verdict::kHam : Verdict::kSpam);
  return decided->entry;
}

TEST(SenderLists, TheNearestEntryCounts) {
  EXPECT_EQ(Listed("From: Joe <joe@friends.example>"), "allow:sender");
  EXPECT_EQ(Listed("From: JOE@FRIENDS.EXAMPLE"), "allow:sender");
  EXPECT_EQ(Listed("From: ann@friends.example"), "block:domain");
  EXPECT_EQ(Listed("From: ann@mail.bank.example"), "allow:domain");
  EXPECT_EQ(Listed("From: ann@a.b.shop.bank.example"), "block:domain");
  EXPECT_EQ(Listed("From: ann@notbank.example"), "");
  EXPECT_EQ(Listed("From: ann@bank.example.org"), "");
  EXPECT_EQ(Listed("From: a@b.c\nList-Id: News\n <News.Lists.example>"), "allow:list-id");
  EXPECT_EQ(Listed("From: a@b.c\nList-Id: ads.lists.example"), "block:list-id");
  EXPECT_EQ(Listed("From: a@b.c\nList-Id: <x.news.lists.example>"), "");
  EXPECT_EQ(Listed("From: ann@bank.example\nList-Id: <ads.lists.example>"), "allow:domain");
  EXPECT_EQ(Listed("To: joe@friends.example"), "");
  EXPECT_EQ(Listed(""), "");
  EXPECT_EQ(Listed("From: @"), "");
  EXPECT_EQ(Listed("From: a@.."), "");
}

// What a reader shows of such a message may be another sender than the one that is allowed.
TEST(SenderLists, AllowNobodyWhoIsNotTheOnlySender) {
  EXPECT_EQ(Listed("From: ann@bank.example\nFrom: evil@example.org"), "");
  EXPECT_EQ(Listed("From: evil@example.org\nFrom: ann@bank.example"), "");
  EXPECT_EQ(Listed("From: evil@example.org, <ann@bank.example>"), "");
  EXPECT_EQ(Listed("From: \"evil@example.org\" <ann@bank.example>"), "");
  EXPECT_EQ(Listed("From: a@b.c, d@e.f\nList-Id: <news.lists.example>"), "");
  EXPECT_EQ(Listed("From: evil@example.org\nFrom: ann@friends.example"), "block:domain");
}

TEST(SenderLists, EachSenderMayBeBlocked) {
  EXPECT_EQ(Listed("From: <ann@friends.example>, <evil@example.org>"), "block:domain");
  EXPECT_EQ(Listed("From: <evil@example.org>, Ann <ann@friends.example>"), "block:domain");
  EXPECT_EQ(Listed("From: evil@example.org, ann@friends.example"), "block:domain");
}

TEST(SenderLists, TheSenderIsReadAsMailProgramsReadIt) {
  for (const char* from : {"ann@friends.example (a <b@c.example>)", "Ann <ann @ friends.example>",
                           "Ann <ann@\n friends.example>", "Ann <ann@(x)friends.example>",
                           "Ann <@a.example,@b.example:ann@friends.example>",
                           "\"a, (b\" <ann@friends.example> )", "(a, b@c.example) ann@friends.example"}) {
    EXPECT_EQ(Listed(std::string("From: ") + from), "block:domain") << from;
  }
  EXPECT_EQ(Listed("From: " + std::string(1100, 'x') + " <ann@friends.example>"), "block:domain");
  EXPECT_EQ(Listed("From : ann@friends.example"), "block:domain");
  EXPECT_EQ(Listed("From: <@evil.example:ann@bank.example>"), "");
}

TEST(SenderLists, BothWaysToWriteADomain) {
  const auto lists = SenderLists::Parse(
      "block domain m\u00FCnchen.example\nallow sender joe@b\u00FCcher.example\nblock domain "
      "xn--kln-sna.example",
      "lists");
  ASSERT_TRUE(lists.has_value());
  const auto entry = [&](const std::string& head, std::string_view authserv_id = "") {
    const auto decided = lists->Decide(head + "\n\n", authserv_id);
    return decided ? decided->entry : "";
  };
  for (const char* domain : {"m\u00FCnchen.example", "mail.xn--mnchen-3ya.example", "k\u00F6ln.example"})
    EXPECT_EQ(entry(std::string("From: ann@") + domain), "block:domain") << domain;
  EXPECT_EQ(entry("From: joe@xn--bcher-kva.example"), "allow:sender");
  EXPECT_EQ(entry("Authentication-Results: mx.example; dkim=pass header.d=b\u00FCcher.example\n"
                  "From: joe@xn--bcher-kva.example",
                  "mx.example"),
            "allow:sender");
  const auto list = SenderLists::Parse("allow list-id b\u00FCcher.example", "lists");
  ASSERT_TRUE(list.has_value());
  for (const std::string proven : {"b\u00FCcher.example", "xn--bcher-kva.example"}) {
    EXPECT_TRUE(list->Decide("Authentication-Results: mx.example; dkim=pass header.d=" + proven +
                                 "\nFrom: a@b.c\nList-Id: <b\u00FCcher.example>\n\n",
                             "mx.example"))
        << proven;
  }
}

// As headers and other filters write them.
TEST(SenderLists, OtherSpellingsOfANameAreTheName) {
  const std::string from = "From: Joe <joe@Example.org>\nList-Id: News <news.lists.example.org>\n\n";
  for (const char* entry :
       {"domain .example.org", "domain example.org.", "domain EXAMPLE.ORG", "domain .org",
        "sender <joe@example.org>", "sender Joe@example.org.", "list-id <News.lists.example.org>"}) {
    const auto lists = SenderLists::Parse(std::string("block ") + entry, "lists");
    ASSERT_TRUE(lists) << entry << ": " << lists.error().message;
    EXPECT_TRUE(lists->Decide(from, "")) << entry;
  }
  EXPECT_THAT(SenderLists::Parse("allow domain .a.example\nblock domain a.example\n", "F").error().message,
              "F:2: the same is allowed and blocked");
  const auto quoted = SenderLists::Parse("block sender o'brien@example.org", "F");
  ASSERT_TRUE(quoted);
  EXPECT_TRUE(quoted->Decide("From: O'Brien <o'brien@example.org>\n\n", ""));
}

TEST(SenderLists, WhatDoesNotCountHidesNoOtherEntry) {
  EXPECT_EQ(Listed("From: joe@friends.example\nFrom: joe@friends.example"), "block:domain");
  EXPECT_EQ(Listed("From: joe@friends.example", "mx.example"), "block:domain");
  EXPECT_EQ(Listed("Authentication-Results: mx.example; dkim=pass header.d=friends.example\n"
                   "From: joe@friends.example",
                   "mx.example"),
            "allow:sender");
}

TEST(SenderLists, AllowWhatTheServerFoundIfItIsNamed) {
  const auto listed = [](const std::string& results, const std::string& from = "ann@mail.bank.example") {
    return Listed("Authentication-Results: " + results + "\nFrom: " + from, "mx.example");
  };
  EXPECT_EQ(listed("mx.example; dkim=pass header.d=bank.example"), "allow:domain");
  EXPECT_EQ(
      listed("MX.example 1; spf=fail; DKIM=pass (good) header.i=@x.example\n\theader.d=mail.bank.example"),
      "allow:domain");
  EXPECT_EQ(listed("mx.example; spf=pass smtp.mailfrom=bounce@bank.example"), "allow:domain");
  EXPECT_EQ(listed("mx.example; dmarc=pass (p=none) header.from=mail.bank.example; dkim=none"),
            "allow:domain");
  EXPECT_EQ(listed("other.example; dkim=pass header.d=bank.example"), "");
  EXPECT_EQ(listed("mx.example.org; dkim=pass header.d=bank.example"), "");
  EXPECT_EQ(listed("mx.example; dkim=fail header.d=bank.example"), "");
  EXPECT_EQ(listed("mx.example; dkim=passed header.d=bank.example"), "");
  EXPECT_EQ(listed("mx.example; dkim=pass header.d=evil.example"), "");
  EXPECT_EQ(listed("mx.example; dkim=pass header.d=x.mail.bank.example"), "");
  EXPECT_EQ(listed("mx.example; dkim=pass header.d=example"), "");
  EXPECT_EQ(listed("mx.example; dkim=pass header.d=ank.example"), "");
  EXPECT_EQ(listed("mx.example; spf=pass header.d=bank.example"), "");
  // What a sender chose must not count as a result.
  EXPECT_EQ(listed("mx.example; spf=fail (dkim=pass header.d=bank.example)"), "");
  EXPECT_EQ(listed("mx.example; spf=fail (a; (b) dkim=pass header.d=bank.example; c) reason=x"), "");
  EXPECT_EQ(listed("mx.example; spf=pass smtp.mailfrom=\"a; dkim=pass header.d=bank.example\"@evil.example"),
            "");
  EXPECT_EQ(
      listed("mx.example; spf=pass smtp.mailfrom=\"a\\\"; dkim=pass header.d=bank.example\"@evil.example"),
      "");
  EXPECT_EQ(Listed("From: ann@bank.example", "mx.example"), "");
  // Where a server's name is missing, a result is no such name.
  EXPECT_EQ(listed("spf=pass smtp.mailfrom=mx.example; dkim=pass header.d=bank.example"), "");
  EXPECT_EQ(
      Listed("Authentication-Results: spf=pass x; dkim=pass header.d=bank.example\nFrom: ann@bank.example",
             "spf=pass"),
      "");
  EXPECT_EQ(Listed("From: ann@friends.example", "mx.example"), "block:domain");
  EXPECT_EQ(listed("mx.example; dkim=pass header.d=lists.example", "a@b.c\nList-Id: <news.lists.example>"),
            "allow:list-id");
}

TEST(SenderLists, SayWhatIsWrong) {
  for (const char* line :
       {"allow", "allow sender", "allow domain a b", "permit domain a", "allow host a",
        "allow sender a.example", "block domain a@b", "allow sender joe@friends.example x",
        // These would be in the lists in vain.
        "block domain *.example.org", "block sender *@example.org", "block list-id *.example.org",
        "block domain http://example.org/", "block domain com,org", "block domain example.org:25",
        "block domain example.org/x", "block domain ..example.org", "block domain .", "block domain a..b",
        "block domain <example.org>", "block domain [192.0.2.1]", "block sender @example.org",
        "block sender joe@", "block sender joe@.", "block sender joe@example.org,ann@example.org",
        "block sender mailto:joe@example.org", "block sender joe@[192.0.2.1]", "block list-id <>"}) {
    const auto lists = SenderLists::Parse(std::string("allow domain a\n") + line + "\n", "FILE");
    ASSERT_FALSE(lists) << line;
    EXPECT_EQ(lists.error().exit_code, kConfig);
    EXPECT_THAT(lists.error().message, StartsWith("FILE:2: expected ")) << line;
  }
  EXPECT_THAT(SenderLists::Parse("allow domain a\nblock domain A\n", "F").error().message,
              "F:2: the same is allowed and blocked");
  EXPECT_EQ(SenderLists::Parse("allow domain a\nallow domain a\n", "F")->size(), 1U);
  EXPECT_EQ(SenderLists::Parse("\xef\xbb\xbf"
                               "allow domain a\n",
                               "F")
                ->size(),
            1U);
  EXPECT_THAT(SenderLists::Parse("allow domain " + std::string(321, 'a'), "F").error().message,
              "F:1: the name is too long");
}

TEST(SenderLists, DecideWhatFilterAndClassifyAndExplainSay) {
  const TestDirectory directory;
  const std::string store = directory / "store";
  directory.Write("spam", SpamMessage(1));
  directory.Write("ham", HamMessage(1));
  ASSERT_EQ(RunThresher({"learn", "--store", store, "--spam", directory / "spam", "--ham", directory / "ham"})
                .exit_code,
            0);
  const std::string lists = directory.Write("lists", "block sender joe@example.org\n");
  const std::vector<std::string> flags = {"--store", store, "--set", "lists.file=" + lists};
  const auto run = [&](std::vector<std::string> words, const std::string& message) {
    words.insert(words.end(), flags.begin(), flags.end());
    return RunThresher(words, message);
  };
  const std::string message = "From: Joe <joe@example.org>\nSubject: hello\n\nhello\n";
  EXPECT_THAT(run({"filter"}, message).out,
              StartsWith("X-Thresher: Spam, listed=block:sender, probability=0.5"));
  EXPECT_THAT(run({"classify", "--json", "-"}, message).out, HasSubstr("\"listed\":\"block:sender\""));
  const Ran classified = run({"classify", "-"}, message);
  EXPECT_EQ(classified.exit_code, 0);
  EXPECT_THAT(classified.out, AllOf(StartsWith("Spam   0.500000 "), EndsWith(" - listed=block:sender\n")));
  EXPECT_THAT(run({"explain", "-"}, message).out, HasSubstr(": Spam, listed=block:sender, probability 0.5"));
  EXPECT_THAT(run({"explain", "--json", "-"}, message).out,
              AllOf(HasSubstr("\"verdict\": \"Spam\""), HasSubstr("\"listed\": \"block:sender\"")));
  EXPECT_THAT(run({"explain", "-"}, "From: ann@example.org\n\n").out, HasSubstr(": Unsure, probability 0.5"));
  EXPECT_THAT(run({"filter"}, "From: ann@example.org\n\n").out,
              StartsWith("X-Thresher: Unsure, probability"));
  directory.Write("lists", "nonsense\n");
  const Ran wrong = run({"filter"}, message);
  EXPECT_EQ(wrong.exit_code, 0);
  EXPECT_THAT(wrong.out, StartsWith("X-Thresher: Error, " + lists + ":1: expected allow or block"));
  EXPECT_THAT(run({"classify", "-"}, message).exit_code, 3);
  EXPECT_EQ(RunThresher({"filter", "--store", store, "--set", "lists.file=/nonexistent"}, message).exit_code,
            0);
}

}  // namespace
}  // namespace thresher::pipeline
