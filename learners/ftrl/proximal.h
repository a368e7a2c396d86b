// FTRL-Proximal on the whole model: hyper-parameters, clock, bias. The formulas are at the head of ftrl.cc.
//
// Used by ftrl.cc, and by adaptive_ftrl.cc for each of its experts. Thread-safety: plain values.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>

#include "learners/ftrl/coordinate.h"
#include "learners/learner.h"
#include "learners/options.h"
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
  // Reads the options that WithFtrl lists (options.h), and `alpha`.
  explicit FtrlProximal(const OptionValues& complete, double l1_growth = 0)
      : alpha(NumberOption(complete, "alpha")),
        beta(NumberOption(complete, "beta")),
        significance(NumberOption(complete, "significance")),
        beta_warm_up(beta * NumberOption(complete, "warm_up")),
        l2(NumberOption(complete, "l2")),
        has_bias(SwitchOption(complete, "bias")),
        forget_every(static_cast<uint64_t>(NumberOption(complete, "forget_every"))) {
    const double l1 = NumberOption(complete, "l1");
    l1_at[0] = l1;
    for (size_t i = 1; i < l1_at.size(); ++i)
      l1_at[i] = l1 * std::exp2(l1_growth * static_cast<double>(i - 1));
  }

  double Beta(const FtrlClock& clock) const { return beta + beta_warm_up * clock.warm_up_left; }

  // λ1 t^ρ
  double L1(const FtrlClock& clock) const { return l1_at[static_cast<size_t>(std::bit_width(clock.steps))]; }

  static bool IsSound(const FtrlGlobals& globals) {
    return std::isfinite(globals.bias.z) && std::isfinite(globals.bias.root) && globals.bias.root >= 0 &&
           std::isfinite(globals.clock.bound) && globals.clock.bound >= 0 &&
           globals.clock.warm_up_left >= 0 && globals.clock.warm_up_left <= 1;
  }

  FtrlMoment<double> At(const FtrlClock& clock) const {
    return {.l1 = L1(clock), .chance = significance * clock.bound, .damping = Beta(clock) + alpha * l2};
  }

  // The bias has no penalties.
  double Intercept(const FtrlGlobals& globals) const {
    return -alpha * globals.bias.z / (Beta(globals.clock) + globals.bias.root);
  }

  void EndStep(double derivative, FtrlGlobals& globals) const {
    if (has_bias) {
      const double ratio = globals.bias.z / (Beta(globals.clock) + globals.bias.root);
      globals.bias.Accumulate(derivative, ratio, 1);
    }
    ++globals.clock.steps;
    if (std::has_single_bit(globals.clock.steps)) SetClock(globals.clock.steps, globals.clock);
  }

  void AdvanceClock(uint64_t steps, FtrlClock& clock) const {
    if (steps > 0) SetClock(std::bit_floor(steps), clock);
    clock.steps = steps;
  }

  // Whether the rows whose weight is 0 are reset after this step.
  bool Forgets(uint64_t steps) const { return forget_every != 0 && steps % forget_every == 0; }

  // Sets √n to the norm of the gradients, or to half of the largest value for which the weight is significant
  // if that is less; then z to the value that has this weight.
  FtrlCoordinate<double> WarmStart(const FittedWeight& fitted, const FtrlClock& clock) const {
    const double magnitude = std::abs(fitted.weight);
    const double damping = Beta(clock) + alpha * l2;
    const double needed = alpha * significance * clock.bound - magnitude;
    double root = fitted.gradient_norm;
    if (needed > 0) root = std::min(root, magnitude * damping / needed / 2);
    return {.z = InverseSoftThreshold(-fitted.weight * (damping + root) / alpha, L1(clock)), .root = root};
  }

  double alpha;
  double beta;
  std::array<double, 65> l1_at;  // λ_t, by the number of binary digits of t
  double significance;           // τ
  double beta_warm_up;           // βκ
  double l2;
  bool has_bias;
  uint64_t forget_every;

 private:
  // `t` is a power of two.
  void SetClock(uint64_t t, FtrlClock& clock) const {
    if (significance == 0 && beta_warm_up == 0) return;
    const auto steps = static_cast<double>(t);
    clock.bound = t < 2 ? 0 : std::sqrt(2 * std::log(std::log(2 * steps)));
    clock.warm_up_left = 1 / (1 + steps);
  }
};

}  // namespace thresher::learners
