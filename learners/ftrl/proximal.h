// FTRL-Proximal on the whole model: hyper-parameters, clock, bias, and the options of both learners that use
// it. The formulas are at the head of ftrl.cc.
//
// Used by ftrl.cc, and by adaptive_ftrl.cc for each of its experts. Thread-safety: plain values.
#pragma once

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>

#include "learners/ftrl/coordinate.h"
#include "learners/rule/gradient_options.h"
#include "learners/shrinkage/soft_threshold.h"

namespace thresher::learners {

struct FtrlClock {
  uint64_t steps = 0;
  double bound = 0;         // √(2 ln ln 2t), or 0 while there is no such number
  double warm_up_left = 1;  // 1/(1 + t)
};

// What there is once per model.
struct FtrlGlobals {
  FtrlCoordinate<double> bias;
  FtrlClock clock;
};

struct FtrlProximal {
  // Reads the options below, and the scale of the learning rates.
  explicit FtrlProximal(const OptionValues& complete)
      : alpha(NumberOption(complete, "alpha")),
        beta(NumberOption(complete, "beta")),
        l1(NumberOption(complete, "l1")),
        significance(NumberOption(complete, "significance")),
        beta_warm_up(beta * NumberOption(complete, "warm_up")),
        l2(NumberOption(complete, "l2")),
        has_bias(SwitchOption(complete, "bias")) {}

  double Beta(const FtrlClock& clock) const { return beta + beta_warm_up * clock.warm_up_left; }

  static bool IsSound(const FtrlGlobals& globals) {
    return std::isfinite(globals.bias.z) && std::isfinite(globals.bias.root) && globals.bias.root >= 0 &&
           std::isfinite(globals.clock.bound) && globals.clock.bound >= 0 &&
           globals.clock.warm_up_left >= 0 && globals.clock.warm_up_left <= 1;
  }

  FtrlMoment<double> At(const FtrlClock& clock) const {
    return {.l1 = l1, .chance = significance * clock.bound, .damping = Beta(clock) + alpha * l2};
  }

  // The bias has no penalties.
  double Intercept(const FtrlGlobals& globals) const {
    return -alpha * globals.bias.z / (Beta(globals.clock) + globals.bias.root);
  }

  void EndStep(double derivative, FtrlGlobals& globals) const {
    if (has_bias) {
      const double ratio = globals.bias.z / (Beta(globals.clock) + globals.bias.root);
      globals.bias.Accumulate(derivative, ratio);
    }
    ++globals.clock.steps;
    if (std::has_single_bit(globals.clock.steps)) SetClock(globals.clock.steps, globals.clock);
  }

  void AdvanceClock(uint64_t steps, FtrlClock& clock) const {
    if (steps > 0) SetClock(std::bit_floor(steps), clock);
    clock.steps = steps;
  }

  // Sets √n to the norm of the gradients, or to half of the largest value for which the weight is significant
  // if that is less; then z to the value that has this weight.
  FtrlCoordinate<double> WarmStart(const FittedWeight& fitted, const FtrlClock& clock) const {
    const double magnitude = std::abs(fitted.weight);
    const double damping = Beta(clock) + alpha * l2;
    const double needed = alpha * significance * clock.bound - magnitude;
    double root = fitted.gradient_norm;
    if (needed > 0) root = std::min(root, magnitude * damping / needed / 2);
    return {.z = InverseSoftThreshold(-fitted.weight * (damping + root) / alpha, l1), .root = root};
  }

  double alpha;
  double beta;
  double l1;
  double significance;  // τ
  double beta_warm_up;  // βκ
  double l2;
  bool has_bias;

 private:
  // `t` is a power of two.
  void SetClock(uint64_t t, FtrlClock& clock) const {
    if (significance == 0 && beta_warm_up == 0) return;
    const auto steps = static_cast<double>(t);
    clock.bound = t < 2 ? 0 : std::sqrt(2 * std::log(std::log(2 * steps)));
    clock.warm_up_left = 1 / (1 + steps);
  }
};

inline constexpr double kSmallestFtrlRate = 1e-9;

inline constexpr OptionSpec kFtrlBetaOption = {
    .name = "beta",
    .default_value = "0.004",
    .min = kSmallestFtrlRate,
    .max = kLargestOption,
    .help = "β of the learning rates; larger values damp the first steps"};
inline constexpr OptionSpec kFtrlL1Option =
    PenaltyOption("l1", "0.0002", "penalty on ‖w‖₁; larger values give sparser models");
inline constexpr OptionSpec kFtrlL2Option =
    PenaltyOption("l2", "0", "penalty on ‖w‖²/2; larger values give smaller weights");
inline constexpr OptionSpec kSignificanceOption = {
    .name = "significance",
    .default_value = "0.6",
    .min = 0,
    .max = kLargestOption,
    .help = "evidence a feature needs before it gets a weight, in units of chance; 0 = none"};
inline constexpr OptionSpec kWarmUpOption = {
    .name = "warm_up",
    .default_value = "25",
    .min = 0,
    .max = kLargestOption,
    .help = "damps the first steps: beta is multiplied by 1 + warm_up/(1 + steps)"};
inline constexpr OptionSpec kForgetEveryOption = {
    .name = "forget_every",
    .default_value = "0",
    .min = 0,
    .max = 1e15,
    .whole = true,
    .help = "after every so many steps, reset features whose weight is 0; 0 = never"};

}  // namespace thresher::learners
