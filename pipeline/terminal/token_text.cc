#include "pipeline/terminal/token_text.h"

#include <fmt/format.h>

namespace thresher::pipeline {

std::string_view FieldOf(std::string_view text) { return text.substr(0, text.find(':')); }

std::string Printable(std::string_view text) {
  std::string out;
  for (size_t i = 0; i < text.size(); ++i) {
    const auto byte = static_cast<unsigned char>(text[i]);
    // Terminals also obey U+0080–U+009F, which are C2 80 to C2 9F in UTF-8.
    const bool c1 = byte == 0xc2 && i + 1 < text.size() && static_cast<unsigned char>(text[i + 1]) < 0xa0;
    if (byte < 0x20 || byte == 0x7f || c1) {
      out += fmt::format("\\x{:02x}", byte);
    } else {
      out += text[i];
    }
  }
  return out;
}

}  // namespace thresher::pipeline
