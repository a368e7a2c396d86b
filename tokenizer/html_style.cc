#include "tokenizer/html_style.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdlib>
#include <string>

#include "tokenizer/ascii.h"

namespace thresher::tokenizer {
namespace {

constexpr size_t kStyleBytes = 2048;
// Two colours look the same if the sum of the differences of their channels is at most this.
constexpr int kSameColour = 36;
// Text of fewer pixels or points, or of fewer other units, is unreadable.
constexpr double kLeastPixels = 2.5;
constexpr double kLeastUnits = 0.2;

struct NamedColour {
  std::string_view name;
  uint32_t colour;
};
constexpr auto kColours = std::to_array<NamedColour>({
    {"aqua", 0x00FFFF},   {"black", 0x000000},  {"blue", 0x0000FF},  {"fuchsia", 0xFF00FF},
    {"gray", 0x808080},   {"green", 0x008000},  {"grey", 0x808080},  {"ivory", 0xFFFFF0},
    {"lime", 0x00FF00},   {"maroon", 0x800000}, {"navy", 0x000080},  {"olive", 0x808000},
    {"orange", 0xFFA500}, {"purple", 0x800080}, {"red", 0xFF0000},   {"silver", 0xC0C0C0},
    {"snow", 0xFFFAFA},   {"teal", 0x008080},   {"white", 0xFFFFFF}, {"yellow", 0xFFFF00},
});

std::optional<uint32_t> ParseHex(std::string_view digits) {
  uint32_t value = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value, 16);
  if (error != std::errc() || end != digits.data() + digits.size()) return std::nullopt;
  if (digits.size() == 6) return value;
  if (digits.size() != 3) return std::nullopt;
  return (value >> 8 & 0xF) * 0x110000 | (value >> 4 & 0xF) * 0x1100 | (value & 0xF) * 0x11;
}

// "255,0,0"
std::optional<uint32_t> ParseChannels(std::string_view list) {
  uint32_t colour = 0;
  for (int i = 0; i < 3; ++i) {
    while (!list.empty() && (list[0] == ',' || list[0] == ' ')) list.remove_prefix(1);
    uint8_t channel = 0;
    const auto [end, error] = std::from_chars(list.data(), list.data() + list.size(), channel);
    if (error != std::errc()) return std::nullopt;
    list.remove_prefix(static_cast<size_t>(end - list.data()));
    colour = colour << 8 | channel;
  }
  return colour;
}

int Distance(uint32_t a, uint32_t b) {
  int sum = 0;
  for (const int shift : {16, 8, 0}) {
    sum += std::abs(static_cast<int>(a >> shift & 0xFF) - static_cast<int>(b >> shift & 0xFF));
  }
  return sum;
}

constexpr auto kUnits = std::to_array<std::string_view>(
    {"", "px", "pt", "pc", "cm", "mm", "in", "em", "rem", "ex", "ch", "vw", "vh", "%"});
// Sizes in these depend on the size around them.
constexpr auto kRelativeUnits = std::to_array<std::string_view>({"em", "ex", "ch", "%"});

template <typename List>
bool IsOneOf(std::string_view value, const List& list) {
  return std::find(list.begin(), list.end(), value) != list.end();
}

enum class TextSize { kUnknown, kUnreadable, kReadable };

// "0", "1px" and "0.1em" are unreadable, "14px" and "small" readable; "2em" says nothing.
TextSize SizeOf(std::string_view value) {
  constexpr auto kWords = std::to_array<std::string_view>(
      {"x-small", "small", "medium", "large", "x-large", "xx-large", "initial"});
  if (IsOneOf(value, kWords) || value.starts_with("calc(") || value.starts_with("clamp("))
    return TextSize::kReadable;
  if (value.empty() || (!IsAsciiDigit(value[0]) && value[0] != '.')) return TextSize::kUnknown;
  double number = 0;
  const auto [end, error] = std::from_chars(value.data(), value.data() + value.size(), number);
  const std::string_view unit = value.substr(static_cast<size_t>(end - value.data()));
  if (error != std::errc() || !IsOneOf(unit, kUnits)) return TextSize::kUnknown;
  const bool is_pixels = unit.empty() || unit == "px" || unit == "pt";
  if (number < (is_pixels ? kLeastPixels : kLeastUnits)) return TextSize::kUnreadable;
  return IsOneOf(unit, kRelativeUnits) ? TextSize::kUnknown : TextSize::kReadable;
}

// The size in a "font" declaration, which has no blanks any more: "bold14px/20pxarial".
std::string_view SizeInFont(std::string_view value) {
  size_t unit = std::string_view::npos;
  size_t end = 0;
  for (const std::string_view name : {"px", "pt", "rem", "em"}) {
    const size_t at = value.find(name);
    if (at >= unit) continue;
    unit = at;
    end = at + name.size();
  }
  size_t begin = std::min(unit, end);
  while (begin > 0 && (IsAsciiDigit(value[begin - 1]) || value[begin - 1] == '.')) --begin;
  return value.substr(begin, end - begin);
}

// Browsers ignore other values.
bool IsShownDisplay(std::string_view value) {
  constexpr auto kValues = std::to_array<std::string_view>(
      {"-webkit-box",  "block",     "contents",        "flex",         "flow-root",   "grid",
       "inherit",      "initial",   "inline",          "inline-block", "inline-flex", "inline-grid",
       "inline-table", "list-item", "revert",          "ruby",         "table",       "table-caption",
       "table-cell",   "table-row", "table-row-group", "unset"});
  return IsOneOf(value, kValues);
}

bool IsZero(std::string_view value) {
  return value.starts_with('0') && value.find_first_not_of("0.") == std::string_view::npos;
}

// A background may be a colour, a picture, or several values.
std::optional<uint32_t> ParseBackground(std::string_view value, std::optional<uint32_t> inherited) {
  if (value.find("url(") != std::string_view::npos) return std::nullopt;
  if (value == "transparent" || value == "none" || value == "inherit") return inherited;
  return ParseColour(value);
}

void ApplySize(std::string_view value, Look* look) {
  const TextSize size = SizeOf(value);
  if (size != TextSize::kUnknown) look->SetHidden(Look::kFontSize, size == TextSize::kUnreadable);
}

void EraseComments(std::string* style) {
  for (size_t begin = style->find("/*"); begin != std::string::npos; begin = style->find("/*", begin)) {
    const size_t end = style->find("*/", begin + 2);
    style->erase(begin, end == std::string::npos ? end : end + 2 - begin);
  }
}

}  // namespace

Look Look::Inherited() const {
  constexpr uint8_t kForGood = kDisplay | kOpacity | kOffice | kOuter;
  Look look = *this;
  look.hidden_by &= static_cast<uint8_t>(~kForGood);
  if ((hidden_by & kForGood) != 0) look.hidden_by |= kOuter;
  return look;
}

void Look::SetHidden(Cause cause, bool is_hidden) {
  hidden_by = static_cast<uint8_t>(is_hidden ? hidden_by | cause : hidden_by & ~cause);
}

bool Look::IsUnreadable() const {
  return hidden_by != 0 || (colour && background && Distance(*colour, *background) <= kSameColour);
}

std::optional<uint32_t> ParseColour(std::string_view value) {
  if (value.starts_with('#')) return ParseHex(value.substr(1));
  if (value.starts_with("rgb(")) return ParseChannels(value.substr(4));
  const auto* named = std::find_if(kColours.begin(), kColours.end(), [value](const NamedColour& known) {
    return EqualsIgnoringCase(known.name, value);
  });
  return named != kColours.end() ? std::optional(named->colour) : ParseHex(value);
}

void ForEachDeclaration(std::string_view style,
                        const std::function<void(std::string_view, std::string_view)>& visit) {
  constexpr std::string_view kImportant = "!important";
  std::string plain = LowerAscii(style.substr(0, kStyleBytes));
  EraseComments(&plain);
  std::erase_if(plain, IsAsciiSpace);
  const bool has_important = plain.find(kImportant) != std::string::npos;
  for (const bool important : {false, true}) {
    if (important && !has_important) return;
    std::string_view rest = plain;
    while (!rest.empty()) {
      const std::string_view declaration = rest.substr(0, rest.find(';'));
      rest.remove_prefix(std::min(declaration.size() + 1, rest.size()));
      const size_t colon = declaration.find(':');
      if (colon == std::string_view::npos) continue;
      const std::string_view value = declaration.substr(colon + 1);
      const size_t end = value.find(kImportant);
      if ((end != std::string_view::npos) != important) continue;
      visit(declaration.substr(0, colon), value.substr(0, end));
    }
  }
}

void ApplyDeclaration(std::string_view property, std::string_view value, Look* look) {
  if (property == "color") {
    look->colour = ParseColour(value);
  } else if (property == "bgcolor" || property == "background" || property == "background-color") {
    look->background = ParseBackground(value, look->background);
  } else if (property == "background-image") {
    look->background = std::nullopt;
  } else if (property == "display") {
    if (value == "none" || IsShownDisplay(value)) look->SetHidden(Look::kDisplay, value == "none");
  } else if (property == "visibility") {
    if (value == "hidden" || value == "visible" || value == "initial")
      look->SetHidden(Look::kVisibility, value == "hidden");
  } else if (property == "mso-hide") {
    look->SetHidden(Look::kOffice, value == "all");
  } else if (property == "opacity") {
    look->SetHidden(Look::kOpacity, IsZero(value));
  } else if (property == "font-size") {
    ApplySize(value, look);
  } else if (property == "font") {
    ApplySize(SizeInFont(value), look);
  }
}

}  // namespace thresher::tokenizer
