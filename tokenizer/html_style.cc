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
// Text of at most this many pixels or points is unreadable.
constexpr int kUnreadableSize = 2;

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

// "0", "1px" and "0.1em" are unreadable; "2em" is readable.
bool IsUnreadableSize(std::string_view value) {
  int number = 0;
  const auto [end, error] = std::from_chars(value.data(), value.data() + value.size(), number);
  if (error != std::errc()) return false;
  const std::string_view unit = value.substr(static_cast<size_t>(end - value.data()));
  if (number == 0) return !unit.starts_with('.') || unit.starts_with(".0") || unit.starts_with(".1");
  return number <= kUnreadableSize && (unit.empty() || unit == "px" || unit == "pt");
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

}  // namespace

bool Look::IsUnreadable() const {
  return is_hidden || (colour && background && Distance(*colour, *background) <= kSameColour);
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
  std::string plain = LowerAscii(style.substr(0, kStyleBytes));
  std::erase_if(plain, IsAsciiSpace);
  std::string_view rest = plain;
  while (!rest.empty()) {
    const std::string_view declaration = rest.substr(0, rest.find(';'));
    rest.remove_prefix(std::min(declaration.size() + 1, rest.size()));
    const size_t colon = declaration.find(':');
    if (colon == std::string_view::npos) continue;
    const std::string_view value = declaration.substr(colon + 1);
    visit(declaration.substr(0, colon), value.substr(0, value.find("!important")));
  }
}

void ApplyDeclaration(std::string_view property, std::string_view value, Look* look) {
  if (property == "color") {
    look->colour = ParseColour(value);
  } else if (property == "bgcolor" || property == "background" || property == "background-color") {
    look->background = ParseBackground(value, look->background);
  } else if (property == "background-image") {
    look->background = std::nullopt;
  } else if ((property == "display" && value == "none") || (property == "visibility" && value == "hidden") ||
             (property == "mso-hide" && value == "all") || (property == "opacity" && IsZero(value)) ||
             (property == "font-size" && IsUnreadableSize(value))) {
    look->is_hidden = true;
  }
}

}  // namespace thresher::tokenizer
