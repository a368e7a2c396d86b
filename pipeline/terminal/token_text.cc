#include "pipeline/terminal/token_text.h"

#include <fmt/format.h>

#include "pipeline/terminal/character.h"

namespace thresher::pipeline {

std::string_view FieldOf(std::string_view text) { return text.substr(0, text.find(':')); }

std::string Printable(std::string_view text) {
  std::string out;
  while (!text.empty()) {
    const Character c = TakeCharacter(&text);
    if (c.is_safe) {
      out += c.bytes;
    } else {
      for (const char byte : c.bytes) out += fmt::format("\\x{:02x}", static_cast<unsigned char>(byte));
    }
  }
  return out;
}

}  // namespace thresher::pipeline
