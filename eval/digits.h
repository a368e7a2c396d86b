// How text reports write percentages.
//
// Called by report_text.cc and comparison_text.cc. Thread-safety: pure functions.
#pragma once

#include <fmt/format.h>

#include <cmath>
#include <string>

namespace thresher::eval {

// Three decimal places, or three significant digits below 0.1: a good filter's figure may be a few
// millionths.
inline std::string Digits(double percent) {
  if (percent == 0) return "0.000";
  return std::abs(percent) >= 0.1 ? fmt::format("{:.3f}", percent) : fmt::format("{:.3g}", percent);
}

}  // namespace thresher::eval
