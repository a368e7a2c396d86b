#include "tokenizer/calendar_tokens.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>
#include <string>
#include <string_view>

#include "tests/tokenizer/token_texts.h"

namespace thresher::tokenizer {
namespace {

using ::testing::AllOf;
using ::testing::Contains;
using ::testing::Each;
using ::testing::IsEmpty;
using ::testing::IsSupersetOf;
using ::testing::Not;
using ::testing::StartsWith;

Options ForCalendars() {
  Options options = NoTokens();
  options.body_words = options.urls = options.word_pairs = true;
  return options;
}

std::set<std::string> TokensOf(const std::string& calendar, const std::string& type = "text/calendar",
                               const Options& options = ForCalendars()) {
  return TokenTexts(
      "From: \"Billing\" <joe@mail.example.com>\nContent-Type: multipart/mixed; boundary=b\n\n"
      "--b\nContent-Type: text/plain\n\nhello\n--b\nContent-Type: " +
          type + "\n\n" + calendar + "\n--b--\n",
      options);
}

std::set<std::string> CalendarTokensOf(const std::string& calendar,
                                       const std::string& type = "text/calendar") {
  std::set<std::string> tokens;
  for (const std::string& token : TokensOf(calendar, type)) {
    if (token.starts_with("calendar:")) tokens.insert(token);
  }
  return tokens;
}

// As programs write them: folded in the middle of words, values escaped, the description in HTML.
constexpr char kInvitation[] =
    "BEGIN:VCALENDAR\r\nPRODID:-//Example Corp//Calendar 70.9//EN\r\nMETHOD:REQUEST\r\nBEGIN:VEVENT\r\n"
    "DTSTART:20251113T163522Z\r\nORGANIZER;CN=Norton Support:mailto:lillie@renewals.example\r\n"
    "ATTENDEE;CUTYPE=INDIVIDUAL;RSVP=\r\n TRUE;CN=you:mailto:you@home.example\r\n"
    "ATTENDEE:mailto:a@home.example\r\nATTENDEE:mailto:b@home.example\r\n"
    "LOCATION:https://meet.evil.exam\r\n ple/room\r\nSUMMARY:Your subscr\r\n iption\r\n"
    "DESCRIPTION:<p>Auto\r\n matic charge\\, 346 dollars</p><a href=\"https://pay.evil.example/\">can\r\n"
    " cel</a><span style=\"display:none\">meeting</span>\r\n"
    "X-ALT-DESC;FMTTYPE=text/html:<html><a href=\"http://alt.evil.example/x\">help</a></html>\r\n"
    "END:VEVENT\r\nEND:VCALENDAR\r\n";

TEST(CalendarTokens, OfAnInvitation) {
  const std::set<std::string> tokens = TokensOf(kInvitation);
  EXPECT_THAT(tokens, IsSupersetOf({"calendar:method:request", "calendar:organizer:other-domain",
                                    "calendar:attendees:4", "body:subscription", "body:automatic",
                                    "pair:body:automatic charge", "body:cancel", "hidden:meeting",
                                    "url:host:meet.evil.example", "url:host:pay.evil.example",
                                    "url:host:alt.evil.example", "mime:type:text/calendar"}));
  EXPECT_THAT(tokens, AllOf(Not(Contains("body:span")), Not(Contains("body:iption"))));
}

TEST(CalendarTokens, WhoInvites) {
  for (const char* address : {"joe@mail.example.com", "JOE@Example.com", "joe@x.mail.example.com"}) {
    EXPECT_THAT(CalendarTokensOf(std::string("ORGANIZER:MAILTO:") + address),
                Contains("calendar:organizer:from-domain"))
        << address;
  }
  for (const char* value :
       {"mailto:joe@badexample.com", "mailto:joe@com.evil", "mailto:joe%40mail.example.com@evil.example"}) {
    EXPECT_THAT(
        CalendarTokensOf(std::string("ORGANIZER:") + value),
        AllOf(Contains("calendar:organizer:other-domain"), Not(Contains("calendar:organizer:from-domain"))))
        << value;
  }
  for (const char* value : {"invalid:nomail", "", "mailto:joe@", "@"}) {
    EXPECT_THAT(CalendarTokensOf(std::string("ORGANIZER:") + value), Contains("calendar:organizer:none"))
        << value;
  }
}

TEST(CalendarTokens, WhatItWants) {
  EXPECT_THAT(CalendarTokensOf("Method: Cancel"), Contains("calendar:method:cancel"));
  EXPECT_THAT(CalendarTokensOf("METHOD:buy"), Contains("calendar:method:other"));
  EXPECT_THAT(CalendarTokensOf("hello"),
              testing::UnorderedElementsAre("calendar:method:none", "calendar:organizer:none",
                                            "calendar:attendees:0"));
}

TEST(CalendarTokens, WhichPartsAreCalendars) {
  for (const char* type : {"Text/Calendar; name=x.html", "application/ics", "application/ics; name=x.svg",
                           "application/octet-stream; name=\"Invite.ICS\"", "text/plain; name=invite.ics."}) {
    EXPECT_THAT(TokensOf("SUMMARY:sub\n scription", type),
                AllOf(Contains("calendar:method:none"), Contains("body:subscription")))
        << type;
  }
  for (const char* type : {"text/html; name=invite.ics", "application/pdf; name=ics", "message/x; name=a.ics",
                           "text/plain", "application/octet-stream; name=a.ics.zip"}) {
    EXPECT_THAT(CalendarTokensOf("METHOD:REQUEST", type), IsEmpty()) << type;
  }
}

TEST(CalendarTokens, AreThoseOfTheBody) {
  Options options = NoTokens();
  options.headers = options.correspondence = options.attachments = options.html_structure = true;
  EXPECT_THAT(TokensOf(kInvitation, "text/calendar", options),
              AllOf(Not(IsEmpty()), Each(Not(StartsWith("calendar:")))));
}

}  // namespace
}  // namespace thresher::tokenizer
