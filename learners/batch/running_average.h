// The average of each of many numbers over the steps of a solver, where a step changes one of them.
//
// A number is added up when it changes, times the steps for which it stood; so a step costs O(1). The window
// begins anew after epochs 1, 2, 4, 8, …, hence the average is over the last half to all of the epochs: early
// iterates leave it. Used by sdca.cc. Thread-safety: a plain value.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <span>
#include <vector>

namespace thresher::learners::batch {

class RunningAverage {
 public:
  explicit RunningAverage(size_t numbers) : sums_(numbers), since_(numbers) {}

  bool IsEmpty() const { return steps_ == 0; }

  // Before the first step of an epoch; `epochs` have ended.
  void BeginEpoch(uint64_t epochs) {
    if (std::has_single_bit(epochs)) Restart();
  }
  void Restart() {
    std::ranges::fill(sums_, 0);
    std::ranges::fill(since_, 0);
    steps_ = 0;
  }

  // A step has changed number i from `before`, or has left it as it was.
  void Step(size_t i, double before) {
    sums_[i] += before * (steps_ - since_[i]);
    since_[i] = steps_;
    ++steps_;
  }

  // Of number i, which is `now`. REQUIRES: not empty.
  double Of(size_t i, double now) const { return (sums_[i] + now * (steps_ - since_[i])) / steps_; }

  std::vector<std::span<double>> Memory() { return {sums_, since_, {&steps_, 1}}; }

 private:
  std::vector<double> sums_;   // of the steps before since_
  std::vector<double> since_;  // the step at which the number last changed
  double steps_ = 0;           // of the window
};

}  // namespace thresher::learners::batch
