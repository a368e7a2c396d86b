// What a learner descends on: a loss, a weight for each class, and below what gradient an example is passed
// over.
//
// Every learner has one, read from the same options. Thread-safety: a plain value.
#pragma once

#include <array>
#include <cmath>
#include <string_view>

#include "learners/loss.h"
#include "learners/options.h"

namespace thresher::learners {

struct Objective {
  // The derivative in the margin of the loss, before class weights.
  double Slope(double margin, Label label) const { return LossDerivative(loss, margin, label); }

  double Weighted(double slope, Label label) const {
    return slope * (label == Label::kHam ? ham_weight : spam_weight);
  }

  // By the loss alone: how sure is sure enough does not depend on what a mistake costs.
  bool PassesOver(double slope) const { return std::abs(slope) < min_gradient; }

  Loss loss = Loss::kLogistic;
  double ham_weight = 1;
  double spam_weight = 1;
  double min_gradient = 0;
};

// No number of steps can overflow a weight while rates, penalties and class weights stay below this (see
// row_learner.h).
inline constexpr double kLargestOption = 1e6;

inline constexpr std::array<std::string_view, 3> kLossNames = {"logistic", "squared", "hinge"};

constexpr std::array<OptionSpec, 4> ObjectiveOptions(std::string_view min_gradient) {
  return {OptionSpec{
              .name = "loss", .default_value = "logistic", .choices = kLossNames, .help = "loss of a margin"},
          OptionSpec{.name = "ham_weight",
                     .default_value = "1",
                     .min = 0,
                     .max = kLargestOption,
                     .min_excluded = true,
                     .help = "how much a ham's loss counts"},
          OptionSpec{.name = "spam_weight",
                     .default_value = "1",
                     .min = 0,
                     .max = kLargestOption,
                     .min_excluded = true,
                     .help = "how much a spam's loss counts"},
          OptionSpec{.name = "min_gradient",
                     .default_value = min_gradient,
                     .min = 0,
                     .max = kLargestOption,
                     .help = "pass over an example on which the loss's derivative is smaller than this"}};
}

// A learner's own options, then those of its objective.
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
