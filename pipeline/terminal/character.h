// The characters of a text of unknown origin, and which of them a terminal may be given.
//
// Used by whatever prints such texts: token_text.h, shell_word.h, error messages and JSON. Thread-safety:
// pure functions. Accepts any bytes.
#pragma once

#include <cstdint>
#include <string_view>

namespace thresher::pipeline {

struct Character {
  std::string_view bytes;  // in UTF-8; a byte that is no part of a character stands for itself
  int32_t code;            // its code point; -1 for such a byte
  // False for what a terminal obeys or what moves text: control characters (also U+0080 to U+009F), bytes
  // that are not UTF-8 (9B begins a command on some terminals), bidirectional controls, and separators of
  // lines and paragraphs.
  bool is_safe;
};

// Takes the first character off *text, which must not be empty.
Character TakeCharacter(std::string_view* text);

}  // namespace thresher::pipeline
