// Tokens for people: a feature's text, its field, and how it is printed.
//
// Used by `vocab` and `explain`.
#pragma once

#include <string>
#include <string_view>

namespace thresher::pipeline {

// "subject" of "subject:free"; docs/tokens.md lists the fields.
std::string_view FieldOf(std::string_view text);

// The text with control characters as \xHH, so that a hostile message cannot write to the terminal.
std::string Printable(std::string_view text);

}  // namespace thresher::pipeline
