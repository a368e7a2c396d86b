// Losses of a margin a and a label y ∈ {−1,+1}, and their derivatives in a.
//
//   logistic   L = log(1 + exp(−ya))     L' = −y/(1 + exp(ya))
//   squared    L = (a − y)²/2            L' = a − y
//   hinge      L = max(0, 1 − ya)        L' = −y where ya < 1, else 0
//
// Used once per example by all learners, and by batch solvers. Finite for every finite margin, but for the
// squared loss, which overflows beyond |a| ≈ 1e154 (its derivative does not). Thread-safety: pure functions.
#pragma once

#include <cmath>
#include <limits>

#include "learners/learner.h"

namespace thresher::learners {

enum class Loss { kLogistic, kSquared, kHinge };

// From this |ya| on, 1 + exp(−|ya|) rounds to 1.
inline constexpr double kLogisticCutOff = 40;

inline double LossValue(Loss loss, double margin, Label label) {
  const auto y = static_cast<double>(label);
  const double agreement = y * margin;
  switch (loss) {
    case Loss::kLogistic:
      if (agreement > kLogisticCutOff) return std::exp(-agreement);
      if (agreement < -kLogisticCutOff) return -agreement;
      return std::log1p(std::exp(-agreement));
    case Loss::kSquared:
      return (margin - y) * (margin - y) / 2;
    case Loss::kHinge:
      return agreement < 1 ? 1 - agreement : 0;
  }
  return 0;
}

inline double LossDerivative(Loss loss, double margin, Label label) {
  const auto y = static_cast<double>(label);
  const double agreement = y * margin;
  switch (loss) {
    case Loss::kLogistic:
      if (agreement > kLogisticCutOff) return -y * std::exp(-agreement);
      if (agreement < -kLogisticCutOff) return -y;
      return -y / (1 + std::exp(agreement));
    case Loss::kSquared:
      return margin - y;
    case Loss::kHinge:
      return agreement < 1 ? -y : 0;
  }
  return 0;
}

// The margin in favour of a label beyond which a loss wants no more. Infinite for logistic.
inline double LargestWanted(Loss loss) {
  return loss == Loss::kLogistic ? std::numeric_limits<double>::infinity() : 1;
}

// The margin at which a step for `label` undoes an earlier step for the other label: the derivative at this
// margin is the difference of the derivatives for both labels, which is the same at every margin. (For hinge
// it is half of that, the largest derivative there is.)
inline double MarginOfMistake(Loss loss, Label label) {
  return -static_cast<double>(label) * (loss == Loss::kLogistic ? kLogisticCutOff : 1);
}

}  // namespace thresher::learners
