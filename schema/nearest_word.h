// Which known word a mistyped one was meant to be.
//
// Used in error messages about settings and commands. Thread-safety: a pure function.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace thresher::schema {

// The first of `known` that is fewest edits away from `word`; empty if all are more than a third of its
// length away.
std::string_view NearestWord(std::string_view word, std::span<const std::string_view> known);

// "; did you mean 'learn'?", or empty if there is no such word.
std::string DidYouMean(std::string_view word, std::span<const std::string> known);

}  // namespace thresher::schema
