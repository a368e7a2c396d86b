// Percentages as text reports write them. Internal to eval/.
#pragma once

#include <fmt/format.h>

#include <cmath>
#include <string>

namespace thresher::eval {

// Three digits after the point, or three that count where those would be zeros: on good mail a filter's
// figure is a few millionths.
inline std::string Digits(double percent) {
  if (percent == 0) return "0.000";
  return std::abs(percent) >= 0.1 ? fmt::format("{:.3f}", percent) : fmt::format("{:.3g}", percent);
}

}  // namespace thresher::eval
