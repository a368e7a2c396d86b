// Tokens of a calendar file: what it wants, who invites, and how many.
//
// Called by the body tokens; the text and links of the file have the tokens of other text. docs/tokens.md
// lists the tokens. Thread-safety: that of the builder.
#pragma once

#include "tokenizer/calendar.h"
#include "tokenizer/feature_builder.h"
#include "tokenizer/message_head.h"

namespace thresher::tokenizer {

// `head` is that of the message.
void AddCalendar(const Calendar& calendar, const MessageHead& head, FeatureBuilder* builder);

}  // namespace thresher::tokenizer
