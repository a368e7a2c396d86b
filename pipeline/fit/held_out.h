// Splits examples in time: the latest share of each class is held out for a test, the rest is learned from.
//
// The later part shows what mail to come will be like, as far as the past can. It is taken class by class, so
// that it has both classes also where they were taught one after the other. Used by path.h and trial.h.
// Thread-safety: pure functions.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "pipeline/error.h"

namespace thresher::pipeline {

// Rows, ascending.
struct HeldOut {
  std::vector<size_t> earlier;
  std::vector<size_t> later;
};

// `targets`: of the rows, in the order in which they came. Of each class `share` of its rows, rounded down
// but at least one, is later; with a share of 0 none is. REQUIRES: share < 1. An error (kData) if a target is
// not ±1, or if a class has no row, or only one of which a share would be held out.
//
// `no_test`: of each row, whether its target proves nothing; empty: none is such. These do not count, are
// earlier if they came before all later rows, and else in neither part.
Result<HeldOut> HoldOut(std::span<const float> targets, double share, const std::vector<bool>& no_test = {});

}  // namespace thresher::pipeline
