// What calendar files say: well-formed, as programs write them, and hostile.
#include "tokenizer/calendar.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "tests/tokenizer/hostile_text.h"
#include "tests/tokenizer/html_rendering.h"
#include "tests/tokenizer/mime_walk.h"

namespace thresher::tokenizer {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

std::string Unfolded(std::string_view bytes) {
  std::string text;
  UnfoldCalendar(bytes, &text);
  return text;
}

Calendar Read(std::string_view bytes) {
  Calendar calendar;
  ReadCalendar(Unfolded(bytes), &calendar);
  return calendar;
}

TEST(CalendarTest, LinesAreUnfolded) {
  EXPECT_EQ(Unfolded("A:b\r\n c\r\n\td\r\nE:f\n g\n"), "A:bcd\r\nE:fg\n");
  EXPECT_EQ(Unfolded("A:x\xC3\r\n \xA4\r\n"), "A:x\xC3\xA4\r\n");
  EXPECT_EQ(Unfolded(" A:b\n  c"), " A:b c");
  EXPECT_EQ(Unfolded("A:b\n \n \n c"), "A:bc");
  EXPECT_EQ(Unfolded(""), "");
}

TEST(CalendarTest, WhatAnInvitationSays) {
  const Calendar calendar = Read(
      "BEGIN:VCALENDAR\r\nPRODID:-//Example//EN\r\nVERSION:2.0\r\nmethod:REQUEST\r\nBEGIN:VEVENT\r\n"
      "ORGANIZER;CN=\"Pay: now; or\":mailto:joe@exam\r\n ple.com\r\n"
      "ATTENDEE;RSVP=TRUE;CN=a:mailto:a@b.example\r\nAttendee:mailto:c@b.example\r\n"
      "SUMMARY;LANGUAGE=en:Renewal\\, today\\; at once\r\n"
      "DESCRIPTION:One\\nTwo\\NThree C:\\\\x\r\nEND:VEVENT\r\nEND:VCALENDAR\r\n");
  EXPECT_EQ(calendar.method, "REQUEST");
  EXPECT_THAT(TextsOf(calendar.organizers), ElementsAre("mailto:joe@example.com"));
  EXPECT_EQ(calendar.attendees, 2u);
  EXPECT_THAT(calendar.text, HasSubstr("SUMMARY;LANGUAGE=en:Renewal, today; at once\n"));
  EXPECT_THAT(calendar.text, HasSubstr("DESCRIPTION:One\nTwo\nThree C:\\x\n"));
  EXPECT_THAT(TextsOf(calendar.pages), IsEmpty());
}

TEST(CalendarTest, PagesInLinks) {
  EXPECT_THAT(
      TextsOf(Read("DESCRIPTION;ALTREP=\"Data:text/html,%3Cb%3Ebuy%20no\r\n w%3C/b%3E\":hello\r\n").pages),
      testing::Contains("<b>buy now</b>"));
  EXPECT_THAT(
      TextsOf(Read("DESCRIPTION;ALTREP=\"data:text/html;charset=x;base64,PGI+YnV5\":hello\r\n").pages),
      testing::Contains("<b>buy"));
  EXPECT_THAT(TextsOf(Read("DESCRIPTION;ALTREP=\"data:text/plain,buy\":hello\r\n").pages), IsEmpty());
  std::string many;
  for (int i = 0; i < 100; ++i) many += "DESCRIPTION;ALTREP=\"data:text/html,x\":hello\r\n";
  EXPECT_THAT(TextsOf(Read(many).pages), SizeIs(16));
}

TEST(CalendarTest, ValuesThatAreHtml) {
  for (const std::string before :
       {"X-ALT-DESC;FMTTYPE=text/html:", "x-alt-desc:", "STYLED-DESCRIPTION;VALUE=TEXT:", "DESCRIPTION:</b>",
        "DESCRIPTION:<BR/>", "X-OTHER;FMTTYPE=Text/HTML:"}) {
    const Calendar calendar = Read(before + "<a href='x'>pay\\, now</a>\r\nSUMMARY:s\r\n");
    const size_t value = before.find(':') + 1;
    EXPECT_THAT(TextsOf(calendar.pages), ElementsAre(before.substr(value) + "<a href='x'>pay, now</a>"));
    EXPECT_EQ(calendar.text, before.substr(0, value) + "\nSUMMARY:s\n");
  }
  for (const std::string line :
       {"DESCRIPTION:Join <https://a.example/x>", "SUMMARY:</b>x<br>", "</b>x<br>"}) {
    EXPECT_THAT(TextsOf(Read(line).pages), IsEmpty()) << line;
    EXPECT_EQ(Read(line).text, line + "\n");
  }
}

TEST(CalendarTest, LinesThatAreNoProperties) {
  EXPECT_EQ(Read("no colon\n\n:x\n;:y\nMETHOD\nMETHOD=a\n").text, "no colon\n:x\n;:y\nMETHOD\nMETHOD=a\n");
  EXPECT_EQ(Read("METHOD\nMETHOD:\nMethod :  Reply \nMETHOD:CANCEL\n").method, "Reply");
  // Quotation marks that do not end hide no value.
  const Calendar calendar =
      Read("ORGANIZER;CN=\"Joe:mailto:joe@a.example\nDESCRIPTION;X=\":a\\nb\nATTENDEE:\"");
  EXPECT_THAT(TextsOf(calendar.organizers), ElementsAre("mailto:joe@a.example"));
  EXPECT_THAT(calendar.text, HasSubstr(":a\nb\n"));
  EXPECT_EQ(calendar.attendees, 1u);
  EXPECT_EQ(Read("A:b\\").text, "A:b\n");
  EXPECT_EQ(Read(std::string_view("A\0:b\0\n", 6)).text, std::string_view("A\0:b\0\n", 6));
}

TEST(CalendarTest, WhatIsKeptIsBounded) {
  const Calendar calendar = Read(Repeat("ORGANIZER:mailto:a@b.example\n", 20000) +
                                 Repeat("X-ALT-DESC:<b>x</b>\n", 20000) + Repeat("ATTENDEE:x\n", 20000));
  EXPECT_THAT(TextsOf(calendar.organizers), SizeIs(16));
  EXPECT_THAT(TextsOf(calendar.pages), SizeIs(16));
  EXPECT_EQ(calendar.attendees, 20000u);
  // No text is lost: what is no page any more is text.
  EXPECT_THAT(calendar.text, HasSubstr("X-ALT-DESC:<b>x</b>\n"));
}

// Each of these takes seconds if a part of it takes quadratic time.
TEST(CalendarTest, HostileCalendars) {
  constexpr size_t kMany = 300000;
  for (const std::string piece :
       {"\n ", "A:b\n ", "A;\":\n", "\\", "\\n", "\"", ":", ";", "BEGIN:VCALENDAR\n", "DESCRIPTION:<b",
        "DESCRIPTION:<\n", "X-ALT-DESC:\n", "\r\n\t", "\r"}) {
    const std::string bytes = Repeat(piece, kMany);
    const Calendar calendar = Read("DESCRIPTION:" + bytes);
    EXPECT_LE(calendar.text.size(), bytes.size() + 13) << piece;
  }
  EXPECT_EQ(Read("SUMMARY:" + Repeat("word\n ", kMany)).text, "SUMMARY:" + Repeat("word", kMany) + "\n");
}

// The obvious form: line for line, character for character.
std::string UnfoldedByTwin(std::string_view bytes) {
  std::string text;
  for (size_t i = 0; i < bytes.size(); ++i) {
    const std::string_view rest = bytes.substr(i);
    size_t fold = 0;
    for (const std::string_view kind : {"\r\n ", "\r\n\t", "\n ", "\n\t"}) {
      if (rest.starts_with(kind)) fold = kind.size();
    }
    if (fold > 0) {
      i += fold - 1;
    } else {
      text += bytes[i];
    }
  }
  return text;
}

TEST(CalendarTest, AnyBytesUnfoldAsTheTwinSays) {
  HostileText hostile(7);
  for (int i = 0; i < 3000; ++i) {
    const std::string bytes = hostile.Message(40);
    ASSERT_EQ(Unfolded(bytes), UnfoldedByTwin(bytes));
    const Calendar calendar = Read(bytes);
    ASSERT_LE(calendar.text.size(), bytes.size() + 1);
  }
}

}  // namespace
}  // namespace thresher::tokenizer
