#include "pipeline/answers/json_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <string_view>

#include "pipeline/terminal/character.h"

namespace thresher::pipeline {
namespace {

// Nearly all of it.
bool IsPrintableAscii(char c) { return c >= ' ' && c <= '~'; }

}  // namespace

std::string JsonText(const nlohmann::ordered_json& json, int indent) {
  const std::string text = json.dump(indent, ' ', false, nlohmann::ordered_json::error_handler_t::replace);
  std::string printable;
  printable.reserve(text.size() + 1);
  for (std::string_view left = text; !left.empty();) {
    const auto* const other = std::ranges::find_if_not(left, IsPrintableAscii);
    const auto plain = static_cast<size_t>(other - left.begin());
    printable += left.substr(0, plain);
    left.remove_prefix(plain);
    if (left.empty()) break;
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
