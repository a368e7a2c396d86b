// Takes the next word off a line.
//
// Called by the readers of From lines, TREC indexes and other filters' answers. Thread-safety: a pure
// function.
#pragma once

#include <algorithm>
#include <string_view>

namespace thresher::pipeline {

// Removes the next word, and the blanks before it, from the front of *text; empty at its end.
inline std::string_view TakeWord(std::string_view* text, std::string_view blanks = " \t\r\n") {
  text->remove_prefix(std::min(text->find_first_not_of(blanks), text->size()));
  const std::string_view word = text->substr(0, text->find_first_of(blanks));
  text->remove_prefix(word.size());
  return word;
}

}  // namespace thresher::pipeline
