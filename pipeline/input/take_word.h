// Takes the next word off a line.
//
// Called by the readers of TREC indexes and of other filters' answers. Thread-safety: a pure
// function.
#pragma once

#include <algorithm>
#include <string_view>

namespace thresher::pipeline {

// What parts words, and a line from the next.
inline constexpr std::string_view kBlanks = " \t\r\n";

// Removes the next word, and the blanks before it, from the front of *text; empty at its end.
inline std::string_view TakeWord(std::string_view* text) {
  text->remove_prefix(std::min(text->find_first_not_of(kBlanks), text->size()));
  const std::string_view word = text->substr(0, text->find_first_of(kBlanks));
  text->remove_prefix(word.size());
  return word;
}

}  // namespace thresher::pipeline
