// Source: CSS Color Module Level 4, sections 4.1, 5, 6.1 and 7.
#include "tokenizer/css_colour.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <string>

#include "tokenizer/ascii.h"
#include "tokenizer/css_values.h"

namespace thresher::tokenizer {
namespace {

constexpr ByteSet kSeparators(", /\t\r\n\f");
constexpr double kMostOfChannel = 255;

struct NamedColour {
  std::string_view name;
  uint32_t colour;
};
constexpr auto kNamed = std::to_array<NamedColour>({{"aliceblue", 0xF0F8FF},
                                                    {"antiquewhite", 0xFAEBD7},
                                                    {"aqua", 0x00FFFF},
                                                    {"aquamarine", 0x7FFFD4},
                                                    {"azure", 0xF0FFFF},
                                                    {"beige", 0xF5F5DC},
                                                    {"bisque", 0xFFE4C4},
                                                    {"black", 0x000000},
                                                    {"blanchedalmond", 0xFFEBCD},
                                                    {"blue", 0x0000FF},
                                                    {"blueviolet", 0x8A2BE2},
                                                    {"brown", 0xA52A2A},
                                                    {"burlywood", 0xDEB887},
                                                    {"cadetblue", 0x5F9EA0},
                                                    {"chartreuse", 0x7FFF00},
                                                    {"chocolate", 0xD2691E},
                                                    {"coral", 0xFF7F50},
                                                    {"cornflowerblue", 0x6495ED},
                                                    {"cornsilk", 0xFFF8DC},
                                                    {"crimson", 0xDC143C},
                                                    {"cyan", 0x00FFFF},
                                                    {"darkblue", 0x00008B},
                                                    {"darkcyan", 0x008B8B},
                                                    {"darkgoldenrod", 0xB8860B},
                                                    {"darkgray", 0xA9A9A9},
                                                    {"darkgreen", 0x006400},
                                                    {"darkgrey", 0xA9A9A9},
                                                    {"darkkhaki", 0xBDB76B},
                                                    {"darkmagenta", 0x8B008B},
                                                    {"darkolivegreen", 0x556B2F},
                                                    {"darkorange", 0xFF8C00},
                                                    {"darkorchid", 0x9932CC},
                                                    {"darkred", 0x8B0000},
                                                    {"darksalmon", 0xE9967A},
                                                    {"darkseagreen", 0x8FBC8F},
                                                    {"darkslateblue", 0x483D8B},
                                                    {"darkslategray", 0x2F4F4F},
                                                    {"darkslategrey", 0x2F4F4F},
                                                    {"darkturquoise", 0x00CED1},
                                                    {"darkviolet", 0x9400D3},
                                                    {"deeppink", 0xFF1493},
                                                    {"deepskyblue", 0x00BFFF},
                                                    {"dimgray", 0x696969},
                                                    {"dimgrey", 0x696969},
                                                    {"dodgerblue", 0x1E90FF},
                                                    {"firebrick", 0xB22222},
                                                    {"floralwhite", 0xFFFAF0},
                                                    {"forestgreen", 0x228B22},
                                                    {"fuchsia", 0xFF00FF},
                                                    {"gainsboro", 0xDCDCDC},
                                                    {"ghostwhite", 0xF8F8FF},
                                                    {"gold", 0xFFD700},
                                                    {"goldenrod", 0xDAA520},
                                                    {"gray", 0x808080},
                                                    {"green", 0x008000},
                                                    {"greenyellow", 0xADFF2F},
                                                    {"grey", 0x808080},
                                                    {"honeydew", 0xF0FFF0},
                                                    {"hotpink", 0xFF69B4},
                                                    {"indianred", 0xCD5C5C},
                                                    {"indigo", 0x4B0082},
                                                    {"ivory", 0xFFFFF0},
                                                    {"khaki", 0xF0E68C},
                                                    {"lavender", 0xE6E6FA},
                                                    {"lavenderblush", 0xFFF0F5},
                                                    {"lawngreen", 0x7CFC00},
                                                    {"lemonchiffon", 0xFFFACD},
                                                    {"lightblue", 0xADD8E6},
                                                    {"lightcoral", 0xF08080},
                                                    {"lightcyan", 0xE0FFFF},
                                                    {"lightgoldenrodyellow", 0xFAFAD2},
                                                    {"lightgray", 0xD3D3D3},
                                                    {"lightgreen", 0x90EE90},
                                                    {"lightgrey", 0xD3D3D3},
                                                    {"lightpink", 0xFFB6C1},
                                                    {"lightsalmon", 0xFFA07A},
                                                    {"lightseagreen", 0x20B2AA},
                                                    {"lightskyblue", 0x87CEFA},
                                                    {"lightslategray", 0x778899},
                                                    {"lightslategrey", 0x778899},
                                                    {"lightsteelblue", 0xB0C4DE},
                                                    {"lightyellow", 0xFFFFE0},
                                                    {"lime", 0x00FF00},
                                                    {"limegreen", 0x32CD32},
                                                    {"linen", 0xFAF0E6},
                                                    {"magenta", 0xFF00FF},
                                                    {"maroon", 0x800000},
                                                    {"mediumaquamarine", 0x66CDAA},
                                                    {"mediumblue", 0x0000CD},
                                                    {"mediumorchid", 0xBA55D3},
                                                    {"mediumpurple", 0x9370DB},
                                                    {"mediumseagreen", 0x3CB371},
                                                    {"mediumslateblue", 0x7B68EE},
                                                    {"mediumspringgreen", 0x00FA9A},
                                                    {"mediumturquoise", 0x48D1CC},
                                                    {"mediumvioletred", 0xC71585},
                                                    {"midnightblue", 0x191970},
                                                    {"mintcream", 0xF5FFFA},
                                                    {"mistyrose", 0xFFE4E1},
                                                    {"moccasin", 0xFFE4B5},
                                                    {"navajowhite", 0xFFDEAD},
                                                    {"navy", 0x000080},
                                                    {"oldlace", 0xFDF5E6},
                                                    {"olive", 0x808000},
                                                    {"olivedrab", 0x6B8E23},
                                                    {"orange", 0xFFA500},
                                                    {"orangered", 0xFF4500},
                                                    {"orchid", 0xDA70D6},
                                                    {"palegoldenrod", 0xEEE8AA},
                                                    {"palegreen", 0x98FB98},
                                                    {"paleturquoise", 0xAFEEEE},
                                                    {"palevioletred", 0xDB7093},
                                                    {"papayawhip", 0xFFEFD5},
                                                    {"peachpuff", 0xFFDAB9},
                                                    {"peru", 0xCD853F},
                                                    {"pink", 0xFFC0CB},
                                                    {"plum", 0xDDA0DD},
                                                    {"powderblue", 0xB0E0E6},
                                                    {"purple", 0x800080},
                                                    {"rebeccapurple", 0x663399},
                                                    {"red", 0xFF0000},
                                                    {"rosybrown", 0xBC8F8F},
                                                    {"royalblue", 0x4169E1},
                                                    {"saddlebrown", 0x8B4513},
                                                    {"salmon", 0xFA8072},
                                                    {"sandybrown", 0xF4A460},
                                                    {"seagreen", 0x2E8B57},
                                                    {"seashell", 0xFFF5EE},
                                                    {"sienna", 0xA0522D},
                                                    {"silver", 0xC0C0C0},
                                                    {"skyblue", 0x87CEEB},
                                                    {"slateblue", 0x6A5ACD},
                                                    {"slategray", 0x708090},
                                                    {"slategrey", 0x708090},
                                                    {"snow", 0xFFFAFA},
                                                    {"springgreen", 0x00FF7F},
                                                    {"steelblue", 0x4682B4},
                                                    {"tan", 0xD2B48C},
                                                    {"teal", 0x008080},
                                                    {"thistle", 0xD8BFD8},
                                                    {"tomato", 0xFF6347},
                                                    {"turquoise", 0x40E0D0},
                                                    {"violet", 0xEE82EE},
                                                    {"wheat", 0xF5DEB3},
                                                    {"white", 0xFFFFFF},
                                                    {"whitesmoke", 0xF5F5F5},
                                                    {"yellow", 0xFFFF00},
                                                    {"yellowgreen", 0x9ACD32}});
static_assert(std::ranges::is_sorted(kNamed, {}, &NamedColour::name));

uint32_t Channel(double value) {
  return static_cast<uint32_t>(std::lround(std::clamp(value, 0.0, kMostOfChannel)));
}

// The three or four values between the brackets.
struct Components {
  std::array<CssNumber, 4> values;
  size_t size = 0;
};

// A value that is missing on purpose is 0.
std::optional<CssNumber> ParseComponent(std::string_view word) {
  return word == "none" ? CssNumber{} : ParseCssNumber(word);
}

std::optional<Components> ParseComponents(std::string_view list) {
  list = list.substr(0, list.find(')'));
  Components components;
  while (true) {
    while (!list.empty() && kSeparators.Has(list[0])) list.remove_prefix(1);
    if (list.empty()) break;
    size_t end = 0;
    while (end < list.size() && !kSeparators.Has(list[end])) ++end;
    const std::optional<CssNumber> value = ParseComponent(list.substr(0, end));
    if (!value || components.size == components.values.size()) return std::nullopt;
    components.values[components.size++] = *value;
    list.remove_prefix(end);
  }
  return components.size < 3 ? std::nullopt : std::optional(components);
}

// The number, of which `whole` is all: 100 %. Nothing if it has another unit.
std::optional<double> ShareOf(const CssNumber& value, double whole) {
  if (value.unit.empty()) return value.number;
  return value.unit == "%" ? std::optional(value.number / 100 * whole) : std::nullopt;
}

std::optional<double> DegreesOf(const CssNumber& angle) {
  constexpr double kDegreesPerRadian = 57.29577951308232;
  if (angle.unit.empty() || angle.unit == "deg") return angle.number;
  if (angle.unit == "grad") return angle.number * 0.9;
  if (angle.unit == "turn") return angle.number * 360;
  return angle.unit == "rad" ? std::optional(angle.number * kDegreesPerRadian) : std::nullopt;
}

std::optional<uint32_t> FromRgb(const Components& components) {
  uint32_t colour = 0;
  for (size_t i = 0; i < 3; ++i) {
    const std::optional<double> channel = ShareOf(components.values[i], kMostOfChannel);
    if (!channel) return std::nullopt;
    colour = colour << 8 | Channel(*channel);
  }
  return colour;
}

std::optional<uint32_t> FromHsl(const Components& components) {
  const std::optional<double> hue = DegreesOf(components.values[0]);
  const std::optional<double> full = ShareOf(components.values[1], 100);
  const std::optional<double> light = ShareOf(components.values[2], 100);
  if (!hue || !full || !light || !std::isfinite(*hue)) return std::nullopt;
  const double lightness = std::clamp(*light / 100, 0.0, 1.0);
  const double most = std::clamp(*full / 100, 0.0, 1.0) * std::min(lightness, 1 - lightness);
  uint32_t colour = 0;
  for (const double place : {0.0, 8.0, 4.0}) {  // of red, green and blue on the circle of twelve hues
    double k = std::fmod(place + *hue / 30, 12);
    if (k < 0) k += 12;
    const double channel = lightness - most * std::clamp(std::min(k - 3, 9 - k), -1.0, 1.0);
    colour = colour << 8 | Channel(channel * kMostOfChannel);
  }
  return colour;
}

}  // namespace

uint32_t WithAlpha(uint32_t rgb, double alpha) {
  return (0xFF - Channel(alpha * kMostOfChannel)) << 24 | (rgb & 0xFFFFFF);
}

uint32_t Over(uint32_t background, uint32_t colour) {
  const uint32_t through = colour >> 24;
  uint32_t seen = 0;
  for (const int shift : {16, 8, 0}) {
    const uint32_t sum = (colour >> shift & 0xFF) * (0xFF - through) + (background >> shift & 0xFF) * through;
    seen = seen << 8 | (sum + 0x7F) / 0xFF;
  }
  return seen;
}

std::optional<uint32_t> ColourOfName(std::string_view name) {
  const std::string lower = LowerAscii(name);
  const auto* const named = std::ranges::lower_bound(kNamed, std::string_view(lower), {}, &NamedColour::name);
  return named != kNamed.end() && named->name == lower ? std::optional(named->colour) : std::nullopt;
}

std::optional<uint32_t> ParseColourFunction(std::string_view value) {
  const size_t bracket = value.find('(');
  if (bracket == std::string_view::npos) return std::nullopt;
  const std::string_view name = value.substr(0, bracket);
  const bool is_rgb = name == "rgb" || name == "rgba";
  if (!is_rgb && name != "hsl" && name != "hsla") return std::nullopt;
  const std::optional<Components> components = ParseComponents(value.substr(bracket + 1));
  if (!components) return std::nullopt;
  const std::optional<uint32_t> rgb = is_rgb ? FromRgb(*components) : FromHsl(*components);
  if (!rgb || components->size == 3) return rgb;
  const std::optional<double> alpha = ShareOf(components->values[3], 1);
  return alpha ? std::optional(WithAlpha(*rgb, *alpha)) : std::nullopt;
}

}  // namespace thresher::tokenizer
