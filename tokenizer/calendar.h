// What a calendar file says (iCalendar, RFC 5545): an invitation, or other entries for the reader's calendar.
//
// Called by the body tokens. Accepts any bytes; linear time. Thread-safety: pure functions.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "tokenizer/text_list.h"

namespace thresher::tokenizer {

struct Calendar {
  std::string method;   // the first METHOD, such as "REQUEST"; "" if there is none
  TextList organizers;  // the values of the first 16 ORGANIZERs, such as "mailto:joe@example.com"
  size_t attendees = 0;
  // All lines as text, names and parameters too, but for values that are HTML. Line breaks and other
  // characters that are escaped in values ("\n", "\,") are decoded.
  std::string text;
  TextList pages;  // the first 16 values that are HTML: calendars show them as such
};

// Replaces *out by `bytes` without the line breaks, each with a blank behind, where programs fold long lines.
// A line may be folded between two bytes of a character, so this comes before its charset is decoded.
void UnfoldCalendar(std::string_view bytes, std::string* out);

// Replaces *out by what `utf8` says, which is unfolded.
void ReadCalendar(std::string_view utf8, Calendar* out);

}  // namespace thresher::tokenizer
