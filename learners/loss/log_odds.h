// The log-odds of a probability.
//
// Called by pipeline/delivery/spam_score.cc and pipeline/trec/fusion.cc. Thread-safety: a pure function.
#pragma once

#include <algorithm>
#include <cmath>

namespace thresher::learners {

// Of a probability nearer than `nearest` to 0 or 1, those of this distance.
inline double LogOdds(double probability, double nearest) {
  const double p = std::clamp(probability, nearest, 1 - nearest);
  return std::log(p / (1 - p));
}

}  // namespace thresher::learners
