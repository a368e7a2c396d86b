#include "pipeline/fit/example_lines.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <optional>

#include "eval/number.h"

namespace thresher::pipeline {
namespace {

constexpr std::string_view kSpaces = " \t\r\n";

void SkipSpaces(std::string_view* line) {
  line->remove_prefix(std::min(line->find_first_not_of(kSpaces), line->size()));
}

// Removes the next word, which ends before one of `ends`, from the front; empty at the end.
std::string_view NextWord(std::string_view* line, std::string_view ends = kSpaces) {
  SkipSpaces(line);
  const std::string_view word = line->substr(0, line->find_first_of(ends));
  line->remove_prefix(word.size());
  return word;
}

std::optional<uint64_t> ParseWhole(std::string_view text) {
  if (text.starts_with('+')) text.remove_prefix(1);
  uint64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

constexpr std::string_view kNumber = "a number of at most 3.4e38";  // as a float has it

// A number too small for a float is 0; one too large is nothing.
std::optional<float> ParseFinite(std::string_view text) {
  const auto value = eval::ReadNumber(text);
  if (!value || !std::isfinite(static_cast<float>(*value))) return std::nullopt;
  return static_cast<float>(*value);
}

tl::unexpected<std::string> Wrong(std::string_view what, std::string_view word, std::string_view expected) {
  constexpr size_t kLongest = 60;
  return tl::unexpected(fmt::format("{} is \"{}\"; expected {}", what, word.substr(0, kLongest), expected));
}

}  // namespace

tl::expected<bool, std::string> ParseExampleLine(std::string_view line, LineExample* example) {
  std::string_view rest = line;
  const std::string_view label = NextWord(&rest, " \t\r\n|#");
  SkipSpaces(&rest);
  const bool is_vw = rest.starts_with('|') || rest.starts_with('\'');
  if (label.empty() && !is_vw) return false;
  const auto target = ParseFinite(label);
  if (!target) return Wrong("the label", label, kNumber);
  example->target = *target;
  example->numbers.clear();
  example->values.clear();
  if (is_vw) {
    if (rest.starts_with('\'')) NextWord(&rest, " \t\r\n|");  // the tag
    SkipSpaces(&rest);
    if (!rest.starts_with('|')) return Wrong("what follows the tag", NextWord(&rest), "a bar");
    rest.remove_prefix(1);
    if (!rest.empty() && kSpaces.find(rest.front()) == std::string_view::npos) {
      const std::string_view name = NextWord(&rest);
      if (name.find(':') != std::string_view::npos)
        return Wrong("the namespace", name, "a name without a number to multiply by");
    }
  } else {
    rest = rest.substr(0, rest.find('#'));
  }
  for (std::string_view word = NextWord(&rest); !word.empty(); word = NextWord(&rest)) {
    const size_t colon = word.find(':');
    const auto number = ParseWhole(word.substr(0, colon));
    const bool is_bare = colon == std::string_view::npos;
    if (!number || (is_bare && !is_vw)) return Wrong("a feature", word, "NUMBER:VALUE");
    const auto value = is_bare ? std::optional(1.0F) : ParseFinite(word.substr(colon + 1));
    if (!value)
      return Wrong(fmt::format("the value of feature {}", *number), word.substr(colon + 1), kNumber);
    example->numbers.push_back(*number);
    example->values.push_back(*value);
  }
  std::vector<uint64_t> sorted = example->numbers;
  std::sort(sorted.begin(), sorted.end());
  const auto twice = std::adjacent_find(sorted.begin(), sorted.end());
  if (twice != sorted.end()) return tl::unexpected(fmt::format("feature {} occurs twice", *twice));
  return true;
}

}  // namespace thresher::pipeline
