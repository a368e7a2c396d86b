// The Gram matrix of some columns, G_kl = Σ h_i x_ik x_il, and the derivatives of a quadratic along them:
// where they are few, a step of coordinate descent then reads a line of the matrix instead of a column.
//
// Used by prox_newton.cc. Thread-safety: none.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "learners/batch/examples.h"

namespace thresher::learners::batch {

class SupportGram {
 public:
  // Whether this has a matrix; without one, nothing below but Build may be called.
  explicit operator bool() const { return !gram_.empty(); }

  // Computes the matrix of the columns `support` with weights h of the rows, and the derivatives Σ r_i x_ik,
  // if that is cheap beside passes over the columns. Returns the entries read.
  uint64_t Build(const Examples& examples, std::span<const uint32_t> support, std::span<const double> h,
                 std::span<const double> r);
  void Clear() { gram_.clear(); }

  // REQUIRES: j is one of the columns.
  double SlopeOf(uint32_t j) const { return slopes_[places_[j]]; }
  // Coordinate j has moved by `step`.
  void Move(uint32_t j, double step);

 private:
  struct Entry {
    uint32_t place;
    float value;
  };
  // The entries of the columns row by row.
  void Transpose(const Examples& examples, std::span<const uint32_t> support);

  std::vector<uint32_t> places_;  // of each column in the matrix
  std::vector<uint64_t> starts_;  // of each row in entries_
  std::vector<Entry> entries_;
  std::vector<double> gram_;
  std::vector<double> slopes_;
};

}  // namespace thresher::learners::batch
