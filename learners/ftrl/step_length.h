// How long a step is: how often the gradient counts in z. In n it counts once, so that the learning rate of
// later steps is as it would be.
//
// Mistakes. Who teaches mistakes only teaches few examples, so each takes a longer step. But a label that the
// model contradicts with confidence may be a slip of a hand, and so long a step moves every feature of the
// message: three gradients are significant evidence even for a feature that was never seen (ftrl.cc), where
// one is not. So the gradient counts
//
//   t ≤ 1 + 2P,   P = 1/(1 + e^(c·s)·ε/(1 − ε)),   c = −ya,   ε = .003,   s = 1.75
//
// times. P is the probability that the label is right, if s times the margin is the log-odds of spam and the
// share ε of such labels is wrong, whatever the message: the posterior of Bootkrajang & Kabán, "Label-Noise
// Robust Logistic Regression and Its Applications" (2012).
//
// t is no larger than it must be. A message may have a thousand features that were never seen, each of which
// would take a step of nearly α, although the margin would be as it should after a part of all these steps.
// So t is the least with which the margin y·a becomes P·T or more, T being Occasion::enough(), and at least a
// tenth, as mail may change. With squared and hinge loss, which want a margin of 1, P·T and t are at most 1.
// After what is surely a slip, the margin is about 0. All features that were never seen get their weight at
// one t (significance), so that the margin may then pass P·T. The bias and the clock are not counted in. A
// limited step that is no mistake's (Occasion::Again) has t ≤ 1 and ends so, too. Passive-aggressive learners
// (Crammer et al. 2006) take the least step to a margin, too, and importance-aware updates (Karampatziakis &
// Langford 2011) never pass it.
//
// Other new examples. The first step on a feature is nearly α long, even if the gradient is small, because n
// grows with the gradient. So one wrong label for a message that the model knows could change the verdict on
// all messages like it. If the model contradicts the label (c > 0), the gradient counts
//
//   1 − .9·(1 − P)·f⁸,   P = 1/(1 + e^c·ε/(1 − ε)),   ε = .05
//
// times, f being the share of the features that were seen before, by their squared values. If a part of the
// message is new, f⁸ is small and the step nearly whole, because the model cannot know what is new. At least
// a tenth of the step is taken, so that a few messages suffice where mail changes.
//
// Used by ftrl.cc and adaptive_ftrl.cc. Thread-safety: pure functions and a plain value.
#pragma once

#include <algorithm>
#include <cmath>

#include "learners/loss/loss.h"
#include "learners/rule/update_rule.h"

namespace thresher::learners {

inline constexpr double kTimesOfMistake = 3;  // at most
inline constexpr double kShareOfSlips = 0.003;
inline constexpr double kShareOfWrongLabels = 0.05;
inline constexpr double kLeastTimes = 0.1;
inline constexpr double kLogOddsOfMargin = 1.75;  // s, in a step on a mistake

// The probability that a label is right which the margin contradicts by c, if the share ε is wrong.
inline double ProbabilityRight(double contradicted, double share_wrong) {
  return 1 / (1 + share_wrong / (1 - share_wrong) * std::exp(contradicted));
}

// How much of an example was seen before, by the squared values of its features.
struct Familiarity {
  // is_seen: an example was learned from the feature since its row last became live. A row that has only
  // taken the rate of another one is live, too.
  void Add(double value, bool is_seen) {
    all += value * value;
    if (is_seen) seen += value * value;
  }
  double Share() const { return all > 0 ? seen / all : 0; }  // f

  double seen = 0;
  double all = 0;
};

inline double Contradicted(const LabelledMargin& given) {
  return -static_cast<double>(given.label) * given.margin;
}

// The probability that a mistake's label is right, P.
inline double ProbabilityOfMistake(const LabelledMargin& given) {
  return ProbabilityRight(kLogOddsOfMargin * Contradicted(given), kShareOfSlips);
}

// Whether TimesOf depends on what was seen before.
inline bool DependsOnFamiliarity(const LabelledMargin& given) {
  return given.occasion == Occasion::kNew && Contradicted(given) > 0;
}

// How often the gradient counts; in a step on a mistake at most.
inline double TimesOf(const LabelledMargin& given, const Familiarity& familiarity) {
  const double contradicted = Contradicted(given);
  if (given.occasion.IsMistake()) return 1 + (kTimesOfMistake - 1) * ProbabilityOfMistake(given);
  if (!DependsOnFamiliarity(given)) return 1;
  const double wrong = 1 - ProbabilityRight(contradicted, kShareOfWrongLabels);
  const double second_power = familiarity.Share() * familiarity.Share();
  const double fourth_power = second_power * second_power;
  return 1 - (1 - kLeastTimes) * wrong * fourth_power * fourth_power;
}

// t of a limited step. `longest`: TimesOf. margin_after(t): the margin after a step of that length, which
// must grow with t towards the label; with loss=squared, whose derivative may have the other sign, t is only
// one of the lengths that suffice. If none does, `longest`.
template <class MarginAfter>
double LeastTimes(const LabelledMargin& given, Loss loss, double longest, const MarginAfter& margin_after) {
  constexpr int kHalvings = 8;
  if (loss != Loss::kLogistic) longest = std::min(longest, 1.0);
  const double wanted = std::min(ProbabilityOfMistake(given) * given.occasion.enough(), LargestWanted(loss));
  const auto suffices = [&](double times) {
    return static_cast<double>(given.label) * margin_after(times) >= wanted;
  };
  if (!suffices(longest)) return longest;
  double low = 0;
  double high = longest;
  for (int i = 0; i < kHalvings; ++i) {
    const double middle = (low + high) / 2;
    (suffices(middle) ? high : low) = middle;
  }
  return std::max(high, std::min(kLeastTimes, longest));
}

}  // namespace thresher::learners
