// What an online learner minimises on an example: a loss with a weight for each class. Also the gradient
// below which it skips an example.
//
// Used by every learner, from the same options. Thread-safety: a plain value.
#pragma once

#include <array>
#include <cmath>
#include <string_view>

#include "learners/loss/loss.h"
#include "learners/options.h"

namespace thresher::learners {

struct Objective {
  // The derivative of the loss in the margin, before class weights.
  double Slope(double margin, Label label) const { return LossDerivative(loss, margin, label); }

  // A slope or a loss, with the weight of the class.
  double Weighted(double unweighted, Label label) const {
    return unweighted * (label == Label::kHam ? ham_weight : spam_weight);
  }

  double Value(double margin, Label label) const { return Weighted(LossValue(loss, margin, label), label); }

  // Depends on the loss alone, not on class weights.
  bool Skips(double slope) const { return std::abs(slope) < min_gradient; }

  // Whether a new model, whose margins are 0, learns from an example.
  bool CanBegin() const { return !Skips(Slope(0, Label::kSpam)); }

  Loss loss = Loss::kLogistic;
  double ham_weight = 1;
  double spam_weight = 1;
  double min_gradient = 0;
};

// While rates, penalties and class weights are at most this, no weight overflows (rule/row_learner.h).
inline constexpr double kLargestOption = 1e6;

inline constexpr std::array<std::string_view, 3> kLossNames = {"logistic", "squared", "hinge"};

constexpr std::array<OptionSpec, 4> ObjectiveOptions(std::string_view min_gradient) {
  return {OptionSpec{.name = "loss",
                     .default_value = "logistic",
                     .choices = kLossNames,
                     .help = "loss of a margin and a label"},
          OptionSpec{.name = "ham_weight",
                     .default_value = "1",
                     .min = 0,
                     .max = kLargestOption,
                     .min_excluded = true,
                     .help = "factor of the loss of ham"},
          OptionSpec{.name = "spam_weight",
                     .default_value = "1",
                     .min = 0,
                     .max = kLargestOption,
                     .min_excluded = true,
                     .help = "factor of the loss of spam"},
          OptionSpec{
              .name = "min_gradient",
              .default_value = min_gradient,
              .min = 0,
              .max = kLargestOption,
              .help = "skip examples on which the derivative of the loss is smaller than this; above 0.5 "
                      "(logistic loss) or 1 (another loss) it is refused: a new model would learn nothing"}};
}

// A learner's own options, followed by those of its objective.
template <size_t kOwn>
constexpr std::array<OptionSpec, kOwn + 4> WithObjective(const std::array<OptionSpec, kOwn>& own,
                                                         std::string_view min_gradient) {
  std::array<OptionSpec, kOwn + 4> all;
  size_t i = 0;
  for (const OptionSpec& option : own) all[i++] = option;
  for (const OptionSpec& option : ObjectiveOptions(min_gradient)) all[i++] = option;
  return all;
}

inline Objective ReadObjective(const OptionValues& complete) {
  const std::string_view loss = WordOption(complete, "loss");
  Objective objective;
  if (loss == "squared") objective.loss = Loss::kSquared;
  if (loss == "hinge") objective.loss = Loss::kHinge;
  objective.ham_weight = NumberOption(complete, "ham_weight");
  objective.spam_weight = NumberOption(complete, "spam_weight");
  objective.min_gradient = NumberOption(complete, "min_gradient");
  return objective;
}

}  // namespace thresher::learners
