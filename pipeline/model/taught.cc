#include "pipeline/model/taught.h"

#include <algorithm>

namespace thresher::pipeline {

// Margins of small archives are too small, because the first steps are damped; where one class is rare, they
// are not. Those of larger ones are taken with some caution: new mail differs from what was kept, and ham
// must not be lost. docs/learning-measured.md#the-first-days has what both numbers do.
double TaughtCounts::MarginFactor() const {
  if (streamed > 0 || LacksAClass()) return 1;
  constexpr double kOfFew = 1.6;
  constexpr double kOfMany = 0.78;
  const auto rarer = static_cast<double>(std::min(ham, spam));
  const auto other = static_cast<double>(std::max(ham, spam));
  const double nearness = std::min(rarer / kFew, kFew / rarer);
  return kOfMany + (kOfFew - kOfMany) * nearness * nearness * nearness * rarer / other;
}

}  // namespace thresher::pipeline
