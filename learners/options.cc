#include "learners/options.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

namespace thresher::learners {

tl::expected<OptionValues, OptionFault> CompleteOptions(std::span<const OptionSpec> specs,
                                                        const OptionValues& given, CheckOptions check) {
  for (const auto& [name, value] : given) {
    if (std::ranges::find(specs, name, &OptionSpec::name) != specs.end()) continue;
    std::vector<std::string_view> known;
    for (const OptionSpec& spec : specs) known.push_back(spec.name);
    return tl::unexpected(OptionFault{
        name, fmt::format("unknown option {}={}; expected one of {}", name, value, fmt::join(known, ", "))});
  }
  OptionValues complete;
  for (const OptionSpec& spec : specs) {
    const auto found = given.find(spec.name);
    const std::string_view value = found == given.end() ? spec.default_value : found->second;
    const std::optional<std::string> canonical = spec.Canonical(value);
    if (!canonical) {
      return tl::unexpected(
          OptionFault{std::string(spec.name), fmt::format("{}: {}", spec.name, spec.Mismatch(value))});
    }
    complete.emplace(spec.name, *canonical);
  }
  if (OptionFault fault = check == nullptr ? OptionFault() : check(complete); !fault.what.empty())
    return tl::unexpected(std::move(fault));
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
  return schema::ReadNumber(WordOption(complete, name));
}

std::string_view WordOption(const OptionValues& complete, std::string_view name) {
  return complete.find(name)->second;
}

bool SwitchOption(const OptionValues& complete, std::string_view name) {
  return WordOption(complete, name) == "on";
}

}  // namespace thresher::learners
