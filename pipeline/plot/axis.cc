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

Axis::Tick TickAt(double value) { return {value, Label(value)}; }

constexpr double kNear = 1e-9;

// At the multiples of `step` in this range; none if the range is too wide or too narrow for a step.
std::vector<Axis::Tick> EvenTicks(double least, double most, double step) {
  std::vector<Axis::Tick> ticks;
  if (!std::isfinite(step) || step == 0) return ticks;
  const auto first = static_cast<int64_t>(std::ceil(least / step - kNear));
  const auto last = static_cast<int64_t>(std::floor(most / step + kNear));
  for (int64_t i = first; i <= last; ++i) ticks.push_back(TickAt(step * static_cast<double>(i)));
  return ticks;
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
  // A large number plus 1 is the same number.
  if (most_ == least_) most_ = least_ + std::max(1.0, std::abs(least_) * 1e-6);
}

bool Axis::CanShow(double value) const { return std::isfinite(value) && (!logarithmic_ || value > 0); }

double Axis::Scaled(double value) const { return logarithmic_ ? std::log10(value) : value; }

double Axis::Place(double value) const {
  const double part =
      std::isfinite(most_ - least_) ? 1 : 0.5;  // their difference may be too large for a number
  return (part * Scaled(value) - part * least_) / (part * most_ - part * least_);
}

std::vector<Axis::Tick> Axis::Ticks() const {
  if (!logarithmic_) return EvenTicks(least_, most_, RoundStep((most_ - least_) / kTicks));
  const auto power_of = [](double exponent) { return std::pow(10, exponent); };
  // Ticks at powers of ten, unless fewer than two of them lie on the axis.
  if (std::floor(most_) - std::ceil(least_) >= 1) {
    std::vector<Tick> ticks = EvenTicks(least_, most_, std::max(1.0, std::ceil((most_ - least_) / kTicks)));
    std::erase_if(ticks, [&](const Tick& tick) { return !CanShow(power_of(tick.value)); });
    for (Tick& tick : ticks) tick = TickAt(power_of(tick.value));
    return ticks;
  }
  std::vector<Tick> ticks;
  const int last = static_cast<int>(std::floor(most_));
  for (int power = static_cast<int>(std::floor(least_)); power <= last; ++power) {
    for (const double factor : {1.0, 2.0, 3.0, 5.0}) {
      const double value = factor * power_of(power);
      const double place = std::log10(value);
      if (place >= least_ - kNear && place <= most_ + kNear) ticks.push_back(TickAt(value));
    }
  }
  if (ticks.size() >= 2) return ticks;
  const double least = power_of(least_);
  const double most = power_of(most_);
  return EvenTicks(least, most, RoundStep((most - least) / kTicks));
}

}  // namespace thresher::pipeline
