#include "pipeline/model/taught.h"

#include <algorithm>
#include <cmath>

namespace thresher::pipeline {

// Margins of models that know little are too small, because the first steps are damped; where one class is
// rare, they are not. Those of larger archives are taken with some caution: new mail differs from what was
// kept, and ham must not be lost. Those of a model that is only taught its mistakes are too small, because
// its mistakes are the messages on which it was least sure. docs/learning-measured.md#the-first-days
// and #answers have what these numbers do.
double TaughtCounts::MarginFactor() const {
  if (streamed > 0 || LacksAClass()) return 1;
  const double of_few = std::lerp(1.6, 5, ShareAnswered());
  const double of_many = std::lerp(0.78, 2.8, ShareAnswered());
  const auto rarer = static_cast<double>(std::min(Known(Label::kHam), Known(Label::kSpam)));
  const auto other = static_cast<double>(std::max(Known(Label::kHam), Known(Label::kSpam)));
  const double nearness = std::min(rarer / kFew, kFew / rarer);
  return std::lerp(of_many, of_few, nearness * nearness * nearness * rarer / other);
}

}  // namespace thresher::pipeline
