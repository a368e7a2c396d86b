// The fields of the tokens that the tokenizer makes, which docs/tokens.md describes: who names another one
// has mistyped it.
//
// Called by field_flags.cc, for explain and vocab. Thread-safety: a constant.
#pragma once

#include <algorithm>
#include <array>
#include <string_view>

namespace thresher::tokenizer {

inline constexpr auto kTokenFields = std::to_array<std::string_view>(
    {"attachment",  "auth",       "body",      "calendar",   "cc",          "composition", "content-type",
     "date",        "disguise",   "errors-to", "from",       "header",      "hidden",      "html",
     "in-reply-to", "link",       "mailer",    "message-id", "mime",        "pair",        "raw",
     "received",    "references", "reply",     "reply-to",   "return-path", "script",      "sender",
     "shape",       "subject",    "to",        "url",        "user"});

inline bool IsTokenField(std::string_view field) {
  return std::ranges::find(kTokenFields, field) != kTokenFields.end();
}

}  // namespace thresher::tokenizer
