// A header's structured value without what people, or senders, may write into it.
//
// Called where results of checks are read. Thread-safety: a pure function.
#pragma once

#include <string>
#include <string_view>

namespace thresher::tokenizer {

// The value in lower case, without comments (RFC 5322, 3.2.2); a quoted text is one quotation mark. So a
// semicolon or a property in either counts for nothing.
std::string PlainValue(std::string_view value);

}  // namespace thresher::tokenizer
