// HTML character references: "&amp;", "&#65;", "&#x41;".
//
// Called by the HTML renderer. Thread-safety: pure functions. Accepts any bytes.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace thresher::tokenizer {

enum class EntityPlace { kText, kAttribute };

// Appends the character of the reference at the start of `text` as UTF-8 and returns the length of the
// reference; 0 if it is none. References without their semicolon are decoded where browsers do so; in an
// attribute, "&copy=" is part of a URL. REQUIRES: text starts with '&'.
size_t DecodeEntity(std::string_view text, EntityPlace place, std::string* out);

// Appends an attribute's value with its references decoded.
void AppendAttribute(std::string_view value, std::string* out);

}  // namespace thresher::tokenizer
