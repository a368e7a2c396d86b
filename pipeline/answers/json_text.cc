#include "pipeline/answers/json_text.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <string_view>

#include "pipeline/terminal/character.h"

namespace thresher::pipeline {

std::string JsonText(const nlohmann::ordered_json& json, int indent) {
  const std::string text = json.dump(indent, ' ', false, nlohmann::ordered_json::error_handler_t::replace);
  std::string printable;
  printable.reserve(text.size() + 1);
  for (std::string_view left = text; !left.empty();) {
    const Character c = TakeCharacter(&left);
    if (c.is_safe || c.bytes == "\n") {  // dump() writes line ends between values only
      printable += c.bytes;
    } else {
      printable += fmt::format("\\u{:04x}", c.code);
    }
  }
  printable += '\n';
  return printable;
}

}  // namespace thresher::pipeline
