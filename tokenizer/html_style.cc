#include "tokenizer/html_style.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdlib>
#include <string>

#include "tokenizer/ascii.h"

namespace thresher::tokenizer {
namespace {

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

struct Unit {
  std::string_view name;
  double pixels = 0;         // 0: it depends on something else
  bool is_relative = false;  // to the size around
};
constexpr auto kUnits = std::to_array<Unit>({{"", 1},
                                             {"px", 1},
                                             {"pt", 1},
                                             {"pc", 16},
                                             {"cm", 37.8},
                                             {"mm", 3.78},
                                             {"in", 96},
                                             {"rem"},
                                             {"vw"},
                                             {"vh"},
                                             {"em", 0, true},
                                             {"ex", 0, true},
                                             {"ch", 0, true},
                                             {"%", 0, true}});

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
  const std::string_view name = value.substr(static_cast<size_t>(end - value.data()));
  const auto* const unit = std::ranges::find(kUnits, name, &Unit::name);
  if (error != std::errc() || unit == kUnits.end()) return TextSize::kUnknown;
  const bool is_unreadable = unit->pixels > 0 ? number * unit->pixels < kLeastPixels : number < kLeastUnits;
  if (is_unreadable) return TextSize::kUnreadable;
  return unit->is_relative ? TextSize::kUnknown : TextSize::kReadable;
}

// The size in a "font" declaration: "bold 14px/20px arial".
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

struct DisplayValue {
  std::string_view name;
  Look::Flow flow;
};
// Of a value that shows; browsers ignore others.
constexpr auto kDisplayValues = std::to_array<DisplayValue>(
    {{"-webkit-box", Look::Flow::kBlock},     {"block", Look::Flow::kBlock},
     {"contents", Look::Flow::kInline},       {"flex", Look::Flow::kBlock},
     {"flow-root", Look::Flow::kBlock},       {"grid", Look::Flow::kBlock},
     {"inherit", Look::Flow::kOfElement},     {"initial", Look::Flow::kInline},
     {"inline", Look::Flow::kInline},         {"inline-block", Look::Flow::kInline},
     {"inline-flex", Look::Flow::kInline},    {"inline-grid", Look::Flow::kInline},
     {"inline-table", Look::Flow::kInline},   {"list-item", Look::Flow::kBlock},
     {"revert", Look::Flow::kOfElement},      {"ruby", Look::Flow::kInline},
     {"table", Look::Flow::kBlock},           {"table-caption", Look::Flow::kBlock},
     {"table-cell", Look::Flow::kBlock},      {"table-row", Look::Flow::kBlock},
     {"table-row-group", Look::Flow::kBlock}, {"unset", Look::Flow::kInline}});

void ApplyDisplay(std::string_view value, Look* look) {
  if (value == "none") return look->SetHidden(Look::kDisplay, true);
  const auto* const shown = std::ranges::find(kDisplayValues, value, &DisplayValue::name);
  if (shown == kDisplayValues.end()) return;
  look->SetHidden(Look::kDisplay, false);
  look->flow = shown->flow;
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

// The style in lower case, with a blank for each comment.
std::string WithoutComments(std::string_view style) {
  std::string plain;
  while (!style.empty()) {
    const size_t begin = std::min(style.find("/*"), style.size());
    AppendLowerAscii(style.substr(0, begin), &plain);
    style.remove_prefix(begin);
    if (style.empty()) break;
    plain += ' ';
    const size_t end = style.find("*/", 2);
    style.remove_prefix(end == std::string_view::npos ? style.size() : end + 2);
  }
  return plain;
}

// Where the first declaration of `style` ends: at a semicolon outside of quotes and brackets, or at its end.
size_t EndOfDeclaration(std::string_view style) {
  char quote = 0;
  size_t brackets = 0;
  for (size_t i = 0; i < style.size(); ++i) {
    const char c = style[i];
    if (quote != 0) {
      if (c == '\\') ++i;
      if (c == quote || c == '\n') quote = 0;
    } else if (c == '"' || c == '\'') {
      quote = c;
    } else if (c == '(') {
      ++brackets;
    } else if (c == ')') {
      brackets -= brackets > 0 ? 1 : 0;
    } else if (c == ';' && brackets == 0) {
      return i;
    }
  }
  return style.size();
}

// Takes "!important" from the end of a value; returns whether it was there.
bool TakeImportant(std::string_view* value) {
  constexpr std::string_view kImportant = "important";
  if (!value->ends_with(kImportant)) return false;
  const std::string_view before = Trim(value->substr(0, value->size() - kImportant.size()));
  if (!before.ends_with('!')) return false;
  *value = Trim(before.substr(0, before.size() - 1));
  return true;
}

}  // namespace

Look Look::Inherited() const {
  constexpr uint8_t kForGood = kDisplay | kOpacity | kOuter;
  Look look = *this;
  look.hidden_by &= static_cast<uint8_t>(~kForGood);
  if ((hidden_by & kForGood) != 0) look.hidden_by |= kOuter;
  look.flow = Flow::kOfElement;
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
  const std::string plain = WithoutComments(style);
  bool has_important = false;
  for (const bool important : {false, true}) {
    if (important && !has_important) return;
    std::string_view rest = plain;
    while (!rest.empty()) {
      const std::string_view declaration = rest.substr(0, EndOfDeclaration(rest));
      rest.remove_prefix(std::min(declaration.size() + 1, rest.size()));
      const size_t colon = declaration.find(':');
      if (colon == std::string_view::npos) continue;
      std::string_view value = Trim(declaration.substr(colon + 1));
      const bool is_important = TakeImportant(&value);
      has_important = has_important || is_important;
      if (is_important == important) visit(Trim(declaration.substr(0, colon)), value);
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
    ApplyDisplay(value, look);
  } else if (property == "visibility") {
    if (value == "hidden" || value == "visible" || value == "initial")
      look->SetHidden(Look::kVisibility, value == "hidden");
  } else if (property == "opacity") {
    look->SetHidden(Look::kOpacity, IsZero(value));
  } else if (property == "font-size") {
    ApplySize(value, look);
  } else if (property == "font") {
    ApplySize(SizeInFont(value), look);
  }
}

}  // namespace thresher::tokenizer
