#include "learners/options.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <optional>

namespace thresher::learners {
namespace {

std::optional<double> ParseNumber(std::string_view text) {
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value + 0.0;  // −0 becomes 0
}

std::string Expectation(const OptionSpec& spec) {
  if (!spec.choices.empty()) return fmt::format("one of: {}", fmt::join(spec.choices, ", "));
  const std::string_view kind = spec.whole ? "a whole number" : "a number";
  if (spec.min_excluded) return fmt::format("{} above {} and at most {}", kind, spec.min, spec.max);
  return fmt::format("{} from {} to {}", kind, spec.min, spec.max);
}

// The canonical text of `value`, or nothing if the spec does not allow it.
std::optional<std::string> Canonical(const OptionSpec& spec, std::string_view value) {
  if (!spec.choices.empty()) {
    if (std::ranges::find(spec.choices, value) == spec.choices.end()) return std::nullopt;
    return std::string(value);
  }
  const std::optional<double> number = ParseNumber(value);
  if (!number || !(*number >= spec.min && *number <= spec.max)) return std::nullopt;
  if (spec.min_excluded && *number == spec.min) return std::nullopt;
  if (spec.whole && std::trunc(*number) != *number) return std::nullopt;
  return fmt::format("{}", *number);
}

}  // namespace

tl::expected<OptionValues, std::string> CompleteOptions(std::span<const OptionSpec> specs,
                                                        const OptionValues& given) {
  for (const auto& [name, value] : given) {
    if (std::ranges::find(specs, name, &OptionSpec::name) != specs.end()) continue;
    std::vector<std::string_view> known;
    for (const OptionSpec& spec : specs) known.push_back(spec.name);
    return tl::unexpected(
        fmt::format("unknown option {}={}; expected one of: {}", name, value, fmt::join(known, ", ")));
  }
  OptionValues complete;
  for (const OptionSpec& spec : specs) {
    const auto found = given.find(spec.name);
    const std::string_view value = found == given.end() ? spec.default_value : found->second;
    const std::optional<std::string> canonical = Canonical(spec, value);
    if (!canonical) {
      return tl::unexpected(
          fmt::format("option {} is \"{}\"; expected {}", spec.name, value, Expectation(spec)));
    }
    complete.emplace(spec.name, *canonical);
  }
  return complete;
}

std::string FormatOptions(std::span<const OptionSpec> specs, const OptionValues& complete) {
  std::string text;
  for (const OptionSpec& spec : specs) {
    if (!text.empty()) text += ' ';
    text += fmt::format("{}={}", spec.name, WordOption(complete, spec.name));
  }
  return text;
}

tl::expected<OptionValues, std::string> SplitOptions(std::string_view text) {
  OptionValues values;
  while (!text.empty()) {
    const std::string_view field = text.substr(0, text.find(' '));
    text.remove_prefix(std::min(text.size(), field.size() + 1));
    const size_t equals = field.find('=');
    if (equals == std::string_view::npos) {
      return tl::unexpected(fmt::format("\"{}\" is not of the form option=value", field));
    }
    if (!values.emplace(field.substr(0, equals), field.substr(equals + 1)).second) {
      return tl::unexpected(fmt::format("option {} is given twice", field.substr(0, equals)));
    }
  }
  return values;
}

double NumberOption(const OptionValues& complete, std::string_view name) {
  return ParseNumber(WordOption(complete, name)).value();
}

std::string_view WordOption(const OptionValues& complete, std::string_view name) {
  return complete.find(name)->second;
}

bool SwitchOption(const OptionValues& complete, std::string_view name) {
  return WordOption(complete, name) == "on";
}

}  // namespace thresher::learners
