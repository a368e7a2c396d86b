// Tokens of a calendar file: what it wants, who invites, and how many.
//
// Called by the body tokens; the text and links of the file have the tokens of other text. docs/tokens.md
// lists the tokens. Thread-safety: that of the builder.
#pragma once

#include <string_view>

#include "tokenizer/calendar.h"
#include "tokenizer/feature_builder.h"

namespace thresher::tokenizer {

// `sender` is the address of who sent the message; empty if it has none.
void AddCalendar(const Calendar& calendar, std::string_view sender, FeatureBuilder* builder);

}  // namespace thresher::tokenizer
