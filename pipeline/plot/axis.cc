#include "pipeline/plot/axis.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>

namespace thresher::pipeline {
namespace {

constexpr int kTicks = 6;  // roughly so many

// The smallest of 1, 2 and 5 times a power of ten that is at least `size`.
double RoundStep(double size) {
  const double power = std::pow(10, std::floor(std::log10(size)));
  for (const double factor : {1.0, 2.0, 5.0}) {
    if (factor * power >= size * (1 - 1e-9)) return factor * power;
  }
  return 10 * power;
}

std::string Label(double value) {
  if (value == 0) return "0";
  const double size = std::abs(value);
  if (size >= 1e5 || size < 1e-3) {
    const int exponent = static_cast<int>(std::floor(std::log10(size) + 1e-9));
    return fmt::format("{:.3g}e{}", value / std::pow(10, exponent), exponent);
  }
  return fmt::format("{:.6g}", value);
}

}  // namespace

Axis::Axis(const std::vector<double>& values, bool logarithmic) : logarithmic_(logarithmic) {
  bool first = true;
  for (const double value : values) {
    if (!CanShow(value)) continue;
    const double scaled = Scaled(value);
    least_ = first ? scaled : std::min(least_, scaled);
    most_ = first ? scaled : std::max(most_, scaled);
    first = false;
  }
  if (most_ == least_) most_ = least_ + 1;
}

bool Axis::CanShow(double value) const { return std::isfinite(value) && (!logarithmic_ || value > 0); }

double Axis::Scaled(double value) const { return logarithmic_ ? std::log10(value) : value; }

double Axis::Place(double value) const { return (Scaled(value) - least_) / (most_ - least_); }

std::vector<Axis::Tick> Axis::Ticks() const {
  std::vector<Tick> ticks;
  const double range = most_ - least_;
  const auto whole = [](double value) { return static_cast<int>(std::floor(value)); };
  // Ticks at powers of ten, unless fewer than two of them lie on the axis.
  const bool powers = logarithmic_ && std::floor(most_) - std::ceil(least_) >= 1;
  if (logarithmic_ && !powers) {
    for (int power = whole(least_); power <= whole(most_); ++power) {
      for (const double factor : {1.0, 2.0, 3.0, 5.0}) {
        const double value = factor * std::pow(10, power);
        const double place = std::log10(value);
        if (place >= least_ - 1e-9 && place <= most_ + 1e-9) ticks.push_back({value, Label(value)});
      }
    }
    return ticks;
  }
  const double step = powers ? std::max(1.0, std::ceil(range / kTicks)) : RoundStep(range / kTicks);
  const auto first = static_cast<int64_t>(std::ceil(least_ / step - 1e-9));
  const auto last = static_cast<int64_t>(std::floor(most_ / step + 1e-9));
  for (int64_t i = first; i <= last; ++i) {
    const double at = step * static_cast<double>(i);
    const double value = powers ? std::pow(10, at) : at;
    ticks.push_back({value, Label(value)});
  }
  return ticks;
}

}  // namespace thresher::pipeline
