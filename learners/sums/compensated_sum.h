// A sum of doubles that also sums its rounding errors (Neumaier 1974): accurate to about one rounding,
// however many terms it has and however much of it cancels.
//
// Used by the projections onto the ℓ1-ball. Thread-safety: a plain value.
#pragma once

namespace thresher::learners {

struct CompensatedSum {
  double sum = 0;
  double error = 0;

  void Add(double term) {
    const double next = sum + term;
    const double added = next - sum;
    error += (sum - (next - added)) + (term - added);
    sum = next;
  }
  void Add(const CompensatedSum& other) {
    Add(other.sum);
    error += other.error;
  }

  double Value() const { return sum + error; }
};

}  // namespace thresher::learners
