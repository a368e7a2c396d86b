// The standard normal distribution, as far as intervals need it.
//
// Called by figures.cc, roc.cc and comparison.cc. Thread-safety: pure functions.
#pragma once

namespace thresher::eval {

inline constexpr double kNormal975 = 1.959963984540054;  // its 97.5 % point

}  // namespace thresher::eval
