// What the three forms of accelerated mini-batch dual ascent share: θ and the options.
//
// Used by asdca.cc, whose head has the formulas, and by those that run in several processes. Thread-safety:
// pure functions.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>

#include "learners/batch/elastic_net_objective.h"

namespace thresher::learners::batch {

// `largest` is max‖x_i‖², `per_unit` 1/(λn).
inline double AsdcaTheta(const MarginLoss& loss, double largest, size_t batch, double per_unit) {
  if (largest == 0) return 0.25;
  const auto m = static_cast<double>(batch);
  const double product = 1 / (loss.Smoothness() * largest * per_unit);  // γλn
  return std::min({1.0, std::sqrt(product / m), product, std::cbrt(product * product / m)}) / 4;
}

inline constexpr std::array kAsdcaOptions = {
    kSmoothLossOption,
    kGammaOption,
    BatchPenaltyOption("l2", "0.0001", kL2Help, false),
    OptionSpec{.name = "batch",
               .default_value = "256",
               .min = 1,
               .max = 1e9,
               .whole = true,
               .help = "examples per step"},
};

}  // namespace thresher::learners::batch
