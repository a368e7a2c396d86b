// Extrapolates vectors that converge as v_k = Mv_(k−1) + b would, from the last six: "dual extrapolation" of
// Massias, Vaiter, Gramfort & Salmon, "Dual Extrapolation for Sparse Generalized Linear Models" (2020), for
// the margins of coordinate descent.
//
//   v* ≈ Σ c_k v_k,   c = z/Σz,   UᵀU z = 1,   U the five differences v_k − v_(k−1)
//
// Used by scd.cc. Thread-safety: none.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace thresher::learners::batch {

class Extrapolation {
 public:
  explicit Extrapolation(size_t size) : size_(size), kept_(kKept * size) {}

  // Keeps v as the k-th vector. REQUIRES: k counts up from 0.
  void Keep(size_t k, std::span<const double> v);
  // From the vectors up to the k-th; empty if these are too few or depend on each other.
  std::vector<double> After(size_t k) const;

  std::span<double> AsMemory() { return kept_; }

 private:
  static constexpr size_t kKept = 6;

  std::span<const double> At(size_t k) const { return std::span(kept_).subspan(k % kKept * size_, size_); }

  size_t size_;
  std::vector<double> kept_;
};

}  // namespace thresher::learners::batch
