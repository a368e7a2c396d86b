// The options that the learners of FTRL share, besides those of the objective.
//
// Used by ftrl.cc and adaptive_ftrl.cc. Thread-safety: constants.
#pragma once

#include <array>
#include <cstddef>
#include <string_view>

#include "learners/rule/gradient_options.h"

namespace thresher::learners {

// The scale of the learning rates.
constexpr OptionSpec FtrlRateOption(std::string_view default_value, std::string_view help) {
  return {.name = "alpha", .default_value = default_value, .min = 1e-9, .max = kLargestOption, .help = help};
}

inline constexpr std::array<OptionSpec, 7> kFtrlOptions = {
    OptionSpec{.name = "beta",
               .default_value = "0.004",
               .min = 1e-9,
               .max = kLargestOption,
               .help = "β of the learning rates; larger values damp the first steps"},
    PenaltyOption("l1", "0.0002", "penalty on ‖w‖₁; larger values give sparser models"),
    PenaltyOption("l2", "0", "penalty on ‖w‖²/2; larger values give smaller weights"),
    OptionSpec{.name = "significance",
               .default_value = "0.6",
               .min = 0,
               .max = kLargestOption,
               .help = "evidence a feature needs for a weight: a share of what chance can reach; 0 = none"},
    OptionSpec{.name = "warm_up",
               .default_value = "25",
               .min = 0,
               .max = kLargestOption,
               .help = "damps the first steps: beta is multiplied by 1 + warm_up/(1 + steps)"},
    kBiasOption,
    kForgetEveryOption};

// A learner's own options, followed by those of FTRL and of the objective.
template <size_t kOwn>
constexpr auto WithFtrl(const std::array<OptionSpec, kOwn>& own, std::string_view min_gradient) {
  std::array<OptionSpec, kOwn + kFtrlOptions.size()> all;
  size_t i = 0;
  for (const OptionSpec& option : own) all[i++] = option;
  for (const OptionSpec& option : kFtrlOptions) all[i++] = option;
  return WithObjective(all, min_gradient);
}

}  // namespace thresher::learners
