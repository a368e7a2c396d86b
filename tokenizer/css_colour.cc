// Source: CSS Color Module Level 4, sections 4.1, 5 and 7.
#include "tokenizer/css_colour.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>

#include "tokenizer/ascii.h"
#include "tokenizer/css_values.h"

namespace thresher::tokenizer {
namespace {

constexpr ByteSet kSeparators(", /\t\r\n\f");
constexpr double kMostOfChannel = 255;

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
