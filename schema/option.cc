#include "schema/option.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdint>

namespace thresher::schema {
namespace {

constexpr double kLargestWhole = 18446744073709551616.0;  // 2^64

template <class Number>
std::optional<Number> Parse(std::string_view text) {
  Number number{};
  const char* const end = text.data() + text.size();
  const auto [stopped, error] = std::from_chars(text.data(), end, number);
  if (error != std::errc() || stopped != end) return std::nullopt;
  return number;
}

// Digits may have any 64-bit value; "1e6" or "10.0" is a whole number as long as a double is exact.
std::optional<uint64_t> ParseWhole(std::string_view text) {
  constexpr double kLargestExact = 9007199254740992;  // 2^53
  if (const auto digits = Parse<uint64_t>(text)) return digits;
  const auto number = Parse<double>(text);
  if (!number || !(*number >= 0 && *number <= kLargestExact) || std::trunc(*number) != *number)
    return std::nullopt;
  return static_cast<uint64_t>(*number);
}

bool IsInRange(const OptionSpec& option, double number) {
  return number >= option.min && number <= option.max && !(option.min_excluded && number == option.min);
}

std::optional<std::string> CanonicalNumber(const OptionSpec& option, std::string_view text) {
  if (option.whole) {
    const auto whole = ParseWhole(text);
    if (!whole || !IsInRange(option, static_cast<double>(*whole))) return std::nullopt;
    return fmt::format("{}", *whole);
  }
  const auto number = Parse<double>(text);
  if (!number || !IsInRange(option, *number)) return std::nullopt;
  return fmt::format("{}", *number + 0.0);  // −0 becomes 0
}

std::optional<std::string> CanonicalSwitch(std::string_view text) {
  if (text == "true" || text == "yes" || text == "on") return "true";
  if (text == "false" || text == "no" || text == "off") return "false";
  return std::nullopt;
}

// A comma-separated list of header names. Empty is a list of none; a comma at the end is ignored.
std::optional<std::string> CanonicalHeaderNames(std::string_view text) {
  const auto is_in_name = [](char c) { return (c > ' ' && c < 127 && c != ':') || c == ','; };
  if (!std::all_of(text.begin(), text.end(), is_in_name)) return std::nullopt;
  if (text.starts_with(',') || text.find(",,") != std::string_view::npos) return std::nullopt;
  if (text.ends_with(',')) text.remove_suffix(1);
  return std::string(text);
}

std::optional<std::string> CanonicalText(const OptionSpec& option, std::string_view text) {
  if (!IsInRange(option, static_cast<double>(text.size())) || text.find('\0') != std::string_view::npos)
    return std::nullopt;
  return std::string(text);
}

// Long numbers only where they are exact and readable.
std::string Bound(double number) {
  constexpr double kMostDigits = 1e10;
  const bool in_digits = std::trunc(number) == number && std::abs(number) < kMostDigits;
  return in_digits ? fmt::format("{:.0f}", number) : fmt::format("{:g}", number);
}

std::string ExpectedNumber(const OptionSpec& option) {
  const std::string_view kind = option.whole ? "a whole number" : "a number";
  const bool has_min = option.min > (option.whole ? 0 : -kNoLimit);
  const bool has_max = option.max < (option.whole ? kLargestWhole : kNoLimit);
  std::string text(kind);
  if (option.min_excluded) {
    text += fmt::format(" above {}", Bound(option.min));
    if (has_max) text += fmt::format(" and at most {}", Bound(option.max));
  } else if (has_max) {
    text += fmt::format(" from {} to {}", Bound(option.min), Bound(option.max));
  } else if (has_min) {
    text += fmt::format(" of at least {}", Bound(option.min));
  }
  if (option.max > kNoLimit) text += ", or inf";
  return text;
}

}  // namespace

std::optional<std::string> OptionSpec::Canonical(std::string_view text) const {
  if (!choices.empty()) {
    if (std::ranges::find(choices, text) == choices.end()) return std::nullopt;
    return std::string(text);
  }
  switch (type) {
    case OptionType::kNumber:
      return CanonicalNumber(*this, text);
    case OptionType::kSwitch:
      return CanonicalSwitch(text);
    case OptionType::kText:
      return CanonicalText(*this, text);
    case OptionType::kHeaderNames:
      return CanonicalHeaderNames(text);
  }
  return std::nullopt;
}

std::string OptionSpec::Expected() const {
  if (!choices.empty()) return fmt::format("one of {}", fmt::join(choices, ", "));
  switch (type) {
    case OptionType::kNumber:
      return ExpectedNumber(*this);
    case OptionType::kSwitch:
      return "true or false (yes, no, on, off)";
    case OptionType::kText:
      return min > 0 ? "a text that is not empty" : "a text";
    case OptionType::kHeaderNames:
      return "a list of header names (separated by commas in --set)";
  }
  return {};
}

std::string OptionSpec::Mismatch(std::string_view text) const {
  if (type == OptionType::kText && text.find('\0') != std::string_view::npos)
    return "expected a text without a NUL character";
  return fmt::format("expected {}, found \"{}\"", Expected(), text);
}

double ReadNumber(std::string_view canonical) { return Parse<double>(canonical).value_or(0); }

}  // namespace thresher::schema
