#include "reproduction/step_sizes.h"

#include <fmt/format.h>

#include <cstdlib>

namespace thresher::reproduction {

double StepSize(int k) {
  const int exponent = (k - (k < 0 ? 1 : 0)) / 2;
  // Parsed from its decimal text, so that it prints as the same text.
  return std::strtod(fmt::format("{}e{}", k % 2 == 0 ? 1 : 3, exponent).c_str(), nullptr);
}

int NumberOfStepSize(double size) { return static_cast<int>(std::lround(2 * std::log10(size))); }

}  // namespace thresher::reproduction
