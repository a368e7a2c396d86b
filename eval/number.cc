#include "eval/number.h"

#include <charconv>
#include <cstdlib>
#include <string>
#include <system_error>

namespace thresher::eval {

std::optional<double> ReadNumber(std::string_view text) {
  if (text.starts_with('+') && !text.starts_with("+-")) text.remove_prefix(1);  // from_chars takes none
  double number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (end != text.data() + text.size() || error == std::errc::invalid_argument) return std::nullopt;
  if (error == std::errc()) return number;
  // from_chars does not say whether the number is too large or too small.
  return std::strtod(std::string(text).c_str(), nullptr);
}

}  // namespace thresher::eval
