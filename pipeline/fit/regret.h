// The regret of online learners: how much larger their loss is than that of the best fixed model in
// hindsight, on the same examples in the same order.
//
// Called by the regret command. Thread-safety: pure functions.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "learners/learner.h"
#include "pipeline/fit/example_store.h"

namespace thresher::pipeline {

// The logistic loss of each example's margin before the learner learned it. REQUIRES: targets ±1.
std::vector<double> OnlineLosses(const ExampleStore& examples,
                                 std::shared_ptr<const learners::Learner> learner);

// The logistic losses of fixed weights, one per column of `examples`.
std::vector<double> FixedLosses(const ExampleStore& examples, std::span<const double> weights);

// 1, 2, 5, 10, 20, …, and `count` itself.
std::vector<size_t> RoundNumbersUpTo(size_t count);

// 1, 2, … and `count` itself; each number is the next one or at most a tenth above the one before.
std::vector<size_t> PlacesUpTo(size_t count);

// (1/t) Σ_{s ≤ t} (online_s − fixed_s) for each t of `times`, ascending.
std::vector<double> AverageRegret(std::span<const double> online, std::span<const double> fixed,
                                  std::span<const size_t> times);

}  // namespace thresher::pipeline
