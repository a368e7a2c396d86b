// How many messages or examples a share of them is.
//
// Called by fit/held_out.cc and trec/split.cc. Thread-safety: a pure function.
#pragma once

#include <cstddef>

namespace thresher::pipeline {

// The whole part of `share` · `count`, where .29 · 100 is 29, although the product of doubles is a little
// less.
inline size_t WholeShare(size_t count, double share) {
  constexpr double kRounding = 1e-9;
  return static_cast<size_t>(static_cast<double>(count) * share + kRounding);
}

}  // namespace thresher::pipeline
