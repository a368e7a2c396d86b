// How long the step on a mistake is: an example that is taught because its verdict was wrong.
//
// Who teaches mistakes only teaches few examples, so each takes a longer step, which leaves the learning rate
// of later ones as it would be. But a label that the model contradicts with confidence may be a slip of a
// hand, and so long a step moves every feature of the message: three gradients are significant evidence even
// for a feature that was never seen (ftrl.cc), where one is not. So the gradient counts
//
//   1 + 2P,   P = 1/(1 + e^c·ε/(1 − ε)),   c = −ya
//
// times in z and once in n. P is the probability that the label is right, if the margin is the log-odds of
// spam and the share ε of such labels is wrong, whatever the message: the posterior of Bootkrajang & Kabán,
// "Label-Noise Robust Logistic Regression and Its Applications" (2012). What is surely a slip still counts
// once, as every other example does: mail may change.
//
// Used by ftrl.cc and adaptive_ftrl.cc. Thread-safety: pure functions.
#pragma once

#include <cmath>

#include "learners/rule/update_rule.h"

namespace thresher::learners {

inline constexpr double kTimesOfMistake = 3;  // at most
inline constexpr double kShareOfSlips = 0.003;

inline double TimesOf(const LabelledMargin& given) {
  if (given.occasion != Occasion::kMistake) return 1;
  const double contradicted = -static_cast<double>(given.label) * given.margin;
  const double right = 1 / (1 + kShareOfSlips / (1 - kShareOfSlips) * std::exp(contradicted));
  return 1 + (kTimesOfMistake - 1) * right;
}

}  // namespace thresher::learners
