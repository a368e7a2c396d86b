// HTML character references: "&amp;", "&#65;", "&#x41;".
//
// Called by the HTML renderer. Thread-safety: pure functions. Total.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace thresher::tokenizer {

enum class EntityPlace { kText, kAttribute };

// Appends the character that the reference at the start of `text` stands for, as UTF-8, and gives the
// reference's length; 0 if it is none. References without their semicolon count where browsers take them,
// except that in an attribute "&copy=" is part of a URL. REQUIRES: text starts with '&'.
size_t DecodeEntity(std::string_view text, EntityPlace place, std::string* out);

// Appends an attribute's value, decoded.
void AppendAttribute(std::string_view value, std::string* out);

}  // namespace thresher::tokenizer
