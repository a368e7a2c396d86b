// A sum of doubles that carries its own rounding error along: accurate to one rounding or so however many
// terms there are, also where most of it cancels again. (Neumaier 1974)
//
// Used by the projections onto the ball. Thread-safety: a plain value.
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
