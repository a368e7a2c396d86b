#include "pipeline/terminal/shell_word.h"

#include <fmt/format.h>

#include "pipeline/terminal/character.h"

namespace thresher::pipeline {
namespace {

bool NeedsNoQuotes(const Character& c) {
  constexpr std::string_view kMarks = "_-./+,:@%=";
  const char first = c.bytes.front();
  return (first >= '0' && first <= '9') || (first >= 'A' && first <= 'Z') || (first >= 'a' && first <= 'z') ||
         c.code >= 0x80 || kMarks.find(first) != std::string_view::npos;
}

}  // namespace

std::string ShellWord(std::string_view text) {
  bool quotes = text.empty();
  bool escapes = false;
  for (std::string_view left = text; !left.empty();) {
    const Character c = TakeCharacter(&left);
    quotes = quotes || !NeedsNoQuotes(c);
    escapes = escapes || !c.is_safe;
  }
  if (!quotes && !escapes) return std::string(text);
  std::string word = escapes ? "$'" : "'";
  while (!text.empty()) {
    const Character c = TakeCharacter(&text);
    const bool is_special = c.bytes == "'" || c.bytes == "\\";
    if (escapes && (!c.is_safe || is_special)) {
      for (const char byte : c.bytes) word += fmt::format("\\x{:02x}", static_cast<unsigned char>(byte));
    } else if (c.bytes == "'") {
      word += "'\\''";
    } else {
      word += c.bytes;
    }
  }
  return word += '\'';
}

}  // namespace thresher::pipeline
