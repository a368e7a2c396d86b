// Lipton & Elkan's lazy elastic net as their Theorem 1 states it, with a clock ψ per weight and the dynamic
// programme over P and B. A second formulation of lazy-sgd for tests, and the place where the theorem's B is
// shown to hold for constant rates only.
//
// paper symbol = name here: ψ_j = clock[j], P(t) = products[t+1], B(t) = sums[t+1]
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <vector>

namespace thresher::learners {

class LiptonElkanClock {
 public:
  // B(t) = Σ η_τ/P(τ) is what the recursion unrolls to; the paper prints Σ η_τ/P(τ−1).
  enum class Sum { kUnrolled, kAsPrinted };

  LiptonElkanClock(size_t dimension, double l1, double l2, Sum sum)
      : l1_(l1), l2_(l2), sum_(sum), weight_(dimension), clock_(dimension) {}

  // The weight at the start of step k = steps taken.
  double Current(size_t j) const {
    const size_t k = products_.size() - 1;
    const double ratio = products_[k] / products_[clock_[j]];
    const double shrunk = std::abs(weight_[j]) * ratio - l1_ * products_[k] * (sums_[k] - sums_[clock_[j]]);
    return std::copysign(std::max(shrunk, 0.0), weight_[j]);
  }

  // Sets a weight before the step's regularisation.
  void Set(size_t j, double value) {
    weight_[j] = value;
    clock_[j] = products_.size() - 1;
  }

  void EndStep(double rate) {
    const double before = products_.back();
    products_.push_back(before * (1 - rate * l2_));
    sums_.push_back(sums_.back() + rate / (sum_ == Sum::kUnrolled ? products_.back() : before));
  }

 private:
  double l1_;
  double l2_;
  Sum sum_;
  std::vector<double> weight_;
  std::vector<size_t> clock_;
  std::vector<double> products_ = {1};  // from P(−1)
  std::vector<double> sums_ = {0};      // from B(−1)
};

}  // namespace thresher::learners
