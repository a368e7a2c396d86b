#include "tokenizer/html_text_size.h"

#include <algorithm>
#include <array>

#include "tokenizer/ascii.h"
#include "tokenizer/css_values.h"

namespace thresher::tokenizer {
namespace {

// Text of fewer pixels or points, or of fewer other units, is unreadable.
constexpr double kLeastPixels = 2.5;
constexpr double kLeastUnits = 0.2;

struct Unit {
  std::string_view name;
  double pixels = 0;         // 0: it depends on something else
  bool is_relative = false;  // to the size around
};
constexpr auto kUnits = std::to_array<Unit>(
    {{"", 1},         {"px", 1},       {"pt", 1},       {"pc", 16},      {"cm", 37.8},    {"mm", 3.78},
     {"q", 0.945},    {"in", 96},      {"rem"},         {"rex"},         {"rch"},         {"rcap"},
     {"ric"},         {"rlh"},         {"vw"},          {"vh"},          {"vi"},          {"vb"},
     {"vmin"},        {"vmax"},        {"svw"},         {"svh"},         {"lvw"},         {"lvh"},
     {"dvw"},         {"dvh"},         {"svmin"},       {"svmax"},       {"lvmin"},       {"lvmax"},
     {"dvmin"},       {"dvmax"},       {"svi"},         {"svb"},         {"lvi"},         {"lvb"},
     {"dvi"},         {"dvb"},         {"cqw"},         {"cqh"},         {"cqi"},         {"cqb"},
     {"cqmin"},       {"cqmax"},       {"em", 0, true}, {"ex", 0, true}, {"ch", 0, true}, {"cap", 0, true},
     {"ic", 0, true}, {"lh", 0, true}, {"%", 0, true}});

constexpr auto kReadableWords = std::to_array<std::string_view>(
    {"xx-small", "x-small", "small", "medium", "large", "x-large", "xx-large", "xxx-large", "initial"});
// Fonts of the system, whole values of "font".
constexpr auto kSystemFonts = std::to_array<std::string_view>(
    {"caption", "icon", "initial", "menu", "message-box", "small-caption", "status-bar"});

template <typename List>
bool IsWordOf(std::string_view value, const List& list) {
  return std::find(list.begin(), list.end(), value) != list.end();
}

// How bold a font is, such as 700, has no unit; among the values of "font" only 0 is a size without one.
bool IsWeight(std::string_view word) {
  const std::optional<CssNumber> number = ParseCssNumber(word);
  return number && number->unit.empty() && number->number != 0;
}

}  // namespace

TextSize TextSizeOf(std::string_view value) {
  if (IsAsAround(value) || value == "larger" || value == "smaller" || value == "math")
    return TextSize::kAsAround;
  if (IsWordOf(value, kReadableWords) || IsComputed(value)) return TextSize::kReadable;
  const std::optional<CssNumber> size = ParseCssNumber(value);
  if (!size || size->number < 0) return TextSize::kInvalid;
  const auto* const unit = std::ranges::find(kUnits, size->unit, &Unit::name);
  if (unit == kUnits.end()) return TextSize::kInvalid;
  const bool is_unreadable =
      unit->pixels > 0 ? size->number * unit->pixels < kLeastPixels : size->number < kLeastUnits;
  if (is_unreadable) return TextSize::kUnreadable;
  return unit->is_relative ? TextSize::kAsAround : TextSize::kReadable;
}

bool IsCssLength(std::string_view unit) {
  return std::ranges::find(kUnits, unit, &Unit::name) != kUnits.end();
}

TextSize TextSizeInFont(std::string_view value) {
  if (IsAsAround(value)) return TextSize::kAsAround;
  if (IsWordOf(value, kSystemFonts)) return TextSize::kReadable;
  while (!value.empty()) {
    const auto* const end = std::find_if(value.begin(), value.end(), IsAsciiSpace);
    const std::string_view word = value.substr(0, static_cast<size_t>(end - value.begin()));
    value = Trim(value.substr(word.size()));
    if (IsWeight(word)) continue;
    const TextSize size = TextSizeOf(word.substr(0, word.find('/')));
    // Without a family after the size, browsers ignore the declaration.
    if (size != TextSize::kInvalid) return value.empty() ? TextSize::kInvalid : size;
  }
  return TextSize::kInvalid;
}

}  // namespace thresher::tokenizer
