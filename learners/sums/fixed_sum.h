// A sum of numbers in [0, 2^17] in fixed point: adding and removing terms is exact, in any order.
//
// For sums over all rows that are updated row by row, and that a pass over all rows must reproduce to the
// bit. Each term is truncated to a multiple of 2^-79. Part of persisted globals: the layout in memory is the
// stored format. Used by eg.cc, smidas.cc and the dense form of interior-point. Thread-safety: a plain value.
#pragma once

#include <algorithm>
#include <cstdint>

namespace thresher::learners {

class FixedSum {
 public:
  static constexpr double kLargestTerm = 0x1p17;

  // REQUIRES: 0 ≤ term ≤ kLargestTerm; fewer than 2^29 terms.
  void Add(double term) { Replace(0, term); }
  void Remove(double term) { Replace(term, 0); }
  // Removes a term that was added and adds another.
  void Replace(double before, double after) {
    const Words old = Split(before);
    const Words next = Split(after);
    const uint64_t less = low_ - old.low;
    const uint64_t borrow = low_ < old.low ? 1 : 0;
    low_ = less + next.low;
    const uint64_t carry = low_ < less ? 1 : 0;
    high_ += next.high - old.high + carry - borrow;
  }

  double Value() const { return static_cast<double>(high_) * 0x1p-16 + static_cast<double>(low_) * 0x1p-80; }

 private:
  struct Words {
    uint64_t high;  // in units of 2^-16
    uint64_t low;   // of 2^-80
  };

  // What a damaged row may have instead of a term is brought into the range; NaN becomes 0.
  static Words Split(double term) {
    term = term > 0 ? std::min(term, kLargestTerm) : 0;
    const auto high = static_cast<int64_t>(term * 0x1p16);
    const auto low = static_cast<int64_t>((term * 0x1p16 - static_cast<double>(high)) * 0x1p63);
    return {.high = static_cast<uint64_t>(high), .low = static_cast<uint64_t>(low) << 1};
  }

  uint64_t high_ = 0;
  uint64_t low_ = 0;
};

}  // namespace thresher::learners
