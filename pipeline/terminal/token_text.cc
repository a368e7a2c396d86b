#include "pipeline/terminal/token_text.h"

#include <fmt/format.h>

#include "pipeline/terminal/character.h"

namespace thresher::pipeline {
namespace {

std::string Hexadecimal(char byte) { return fmt::format("\\x{:02x}", static_cast<unsigned char>(byte)); }

}  // namespace

std::string_view FieldOf(std::string_view text) { return text.substr(0, text.find(':')); }

std::string Printable(std::string_view text) {
  std::string out;
  while (!text.empty()) {
    const Character c = TakeCharacter(&text);
    if (c.is_safe) {
      out += c.bytes;
    } else {
      for (const char byte : c.bytes) out += Hexadecimal(byte);
    }
  }
  return out;
}

std::string Listable(std::string_view text) {
  std::string listable;
  for (size_t at; (at = text.find_first_of("\\<>")) != std::string_view::npos;) {
    listable += Printable(text.substr(0, at)) + Hexadecimal(text[at]);
    text.remove_prefix(at + 1);
  }
  return listable + Printable(text);
}

}  // namespace thresher::pipeline
