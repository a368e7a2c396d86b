// Values that properties of CSS share: numbers with a unit, and words that take the value of what is around.
//
// Called by the HTML renderer's readers of styles. Thread-safety: pure functions. Accepts any bytes.
#pragma once

#include <charconv>
#include <optional>
#include <string_view>
#include <system_error>

#include "tokenizer/ascii.h"

namespace thresher::tokenizer {

struct CssNumber {
  double number = 0;
  std::string_view unit;  // what follows the number
};

// "14px", "+.5em", "-100%"; nothing if the value does not begin with a number.
inline std::optional<CssNumber> ParseCssNumber(std::string_view value) {
  const bool is_negative = value.starts_with('-');
  if (is_negative || value.starts_with('+')) value.remove_prefix(1);
  if (value.empty() || (!IsAsciiDigit(value[0]) && value[0] != '.')) return std::nullopt;
  CssNumber parsed;
  const auto [end, error] = std::from_chars(value.data(), value.data() + value.size(), parsed.number);
  if (error != std::errc()) return std::nullopt;
  parsed.unit = value.substr(static_cast<size_t>(end - value.data()));
  if (is_negative) parsed.number = -parsed.number;
  return parsed;
}

// Whether an inherited property, such as the font's size, has the value of what is around.
inline bool IsAsAround(std::string_view value) {
  return value == "inherit" || value == "unset" || value == "revert" || value == "revert-layer";
}

// Whether the value is computed from others, such as "calc(1px + 2vw)".
inline bool IsComputed(std::string_view value) {
  for (const std::string_view function : {"calc(", "clamp(", "env(", "max(", "min(", "round(", "var("}) {
    if (value.starts_with(function)) return true;
  }
  return false;
}

}  // namespace thresher::tokenizer
