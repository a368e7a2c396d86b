// How much worse online learners do than the best fixed model in hindsight, over the same examples in the
// same order.
//
// Called by the regret command. Thread-safety: pure functions.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "learners/learner.h"
#include "pipeline/error.h"
#include "pipeline/fit/example_store.h"

namespace thresher::pipeline {

// The logistic loss of each example's margin before the learner learned it. REQUIRES: targets ±1.
std::vector<double> OnlineLosses(const ExampleStore& examples, const learners::Learner& learner);

// The logistic losses under fixed weights, one for each column.
std::vector<double> FixedLosses(const ExampleStore& examples, std::span<const double> weights);

// 1, 2, 5, 10, 20, …, and `count` itself.
std::vector<size_t> RoundNumbersUpTo(size_t count);

// 1, 2, …, each at most a tenth above the one before or the next number, and `count` itself.
std::vector<size_t> PlacesUpTo(size_t count);

// (1/t) Σ_{s ≤ t} (online_s − fixed_s) for each t of `times`, ascending.
std::vector<double> AverageRegret(std::span<const double> online, std::span<const double> fixed,
                                  std::span<const size_t> times);

}  // namespace thresher::pipeline
