#include "pipeline/commands/flag_check.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <optional>

namespace thresher::pipeline {
namespace {

// A range as it stands in the help of a flag: "0..1", ">0".
std::string ShortRange(const schema::OptionSpec& option) {
  if (option.min_excluded) return fmt::format(">{}", option.min);
  if (option.min <= -schema::kNoLimit) return {};
  return fmt::format("{}..{}", option.min, option.max < UINT32_MAX ? fmt::format("{}", option.max) : "");
}

}  // namespace

FlagCheck Takes(const schema::OptionSpec& option) {
  const auto mismatch = [option](std::string& text) -> std::string {
    const std::optional<std::string> canonical = option.Canonical(text);
    if (!canonical) return option.Mismatch(text);
    text = *canonical;
    return {};
  };
  const std::string range = ShortRange(option);
  return {mismatch, range, range.empty() ? std::string() : option.Expected()};
}

FlagCheck WholeNumber(uint64_t most, uint64_t least) {
  return Takes({.min = static_cast<double>(least), .max = static_cast<double>(most), .whole = true});
}

FlagCheck Fraction(double most) { return Takes({.min = 0, .max = most}); }

FlagCheck OneOf(const std::vector<std::string_view>& words) {
  const auto mismatch = [words](const std::string& text) -> std::string {
    const schema::OptionSpec option = {.choices = words};
    return option.Canonical(text) ? std::string() : option.Mismatch(text);
  };
  return {mismatch, fmt::format("{{{}}}", fmt::join(words, ","))};
}

FlagCheck NotEmpty() {
  return {[](const std::string& text) { return text.empty() ? "expected a value, not ''" : std::string(); },
          ""};
}

}  // namespace thresher::pipeline
