#include "pipeline/model/taught.h"

#include <algorithm>

namespace thresher::pipeline {

// Margins of small archives are too small, because the first steps are damped. Where one class is rare, or
// mail came as it comes, they are not.
double TaughtCounts::MarginFactor() const {
  if (streamed > 0 || LacksAClass()) return 1;
  constexpr double kMostAdded = 0.75;
  const auto rarer = static_cast<double>(std::min(ham, spam));
  const auto other = static_cast<double>(std::max(ham, spam));
  const double nearness = std::min(rarer / kFew, kFew / rarer);
  return 1 + kMostAdded * nearness * nearness * rarer / other;
}

}  // namespace thresher::pipeline
