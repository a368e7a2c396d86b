// Options that several learners share, besides those of the objective.
//
// Used by the files of single learners. Thread-safety: constants and pure functions.
#pragma once

#include <array>
#include <string_view>

#include "learners/loss/objective.h"
#include "learners/rule/schedule.h"

namespace thresher::learners {

inline constexpr std::array<std::string_view, 3> kScheduleNames = {"constant", "inverse", "inverse-sqrt"};
inline constexpr std::array<std::string_view, 2> kSwitchNames = {"off", "on"};

constexpr OptionSpec LearningRateOption(std::string_view default_value) {
  return {.name = "learning_rate",
          .default_value = default_value,
          .min = 0,
          .max = kLargestOption,
          .min_excluded = true,
          .help = "learning rate of the first step"};
}

inline constexpr OptionSpec kScheduleOption = {
    .name = "schedule",
    .default_value = "constant",
    .choices = kScheduleNames,
    .help = "how the learning rate falls with the number of steps"};

inline constexpr OptionSpec kScheduleHorizonOption = {
    .name = "schedule_horizon",
    .default_value = "10000",
    .min = 1,
    .max = 1e15,
    .help = "steps after which the rate is 1/2 (inverse) or 1/√2 (inverse-sqrt) of the first"};

// For penalties and other non-negative weights.
constexpr OptionSpec PenaltyOption(std::string_view name, std::string_view default_value,
                                   std::string_view help) {
  return {.name = name, .default_value = default_value, .min = 0, .max = kLargestOption, .help = help};
}

inline constexpr OptionSpec kBiasOption = {.name = "bias",
                                           .default_value = "off",
                                           .choices = kSwitchNames,
                                           .help = "learn a constant term, without penalty"};

// For learners whose rows have a state besides the weight.
inline constexpr OptionSpec kForgetEveryOption = {
    .name = "forget_every",
    .default_value = "0",
    .min = 0,
    .max = 1e15,
    .whole = true,
    .help = "after every so many steps, reset features whose weight is 0; 0 = never"};

inline constexpr OptionSpec kDimensionOption = {.name = "dimension",
                                                .default_value = "1048576",
                                                .min = 3,
                                                .max = 1e12,
                                                .whole = true,
                                                .help = "number of features, seen or not"};

// The schedule of these three options.
inline Schedule ReadSchedule(const OptionValues& complete, std::string_view first = "learning_rate",
                             std::string_view kind = kScheduleOption.name,
                             std::string_view horizon = kScheduleHorizonOption.name) {
  const std::string_view name = WordOption(complete, kind);
  Schedule schedule;
  if (name == "inverse") schedule.kind = Schedule::Kind::kInverse;
  if (name == "inverse-sqrt") schedule.kind = Schedule::Kind::kInverseSqrt;
  schedule.first = NumberOption(complete, first);
  schedule.horizon = NumberOption(complete, horizon);
  return schedule;
}

}  // namespace thresher::learners
