// The interface of every batch solver: epoch by epoch nearer to the minimum of a stated objective over stored
// examples, with a bound on how far it still is.
//
// Called by pipeline/fit. A solver does no I/O and knows no clock; its draws follow from a seed that comes
// in. Thread-safety: one thread; what it does on several it does by the Parallel it is given.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <span>
#include <vector>

namespace thresher::learners::batch {

struct Progress {
  uint64_t epochs = 0;
  uint64_t data_accesses = 0;  // entries of the matrix read, those for this report not counted
  double passes = 0;           // the same, in entries that there are
  double primal = 0;           // the objective at Weights()
  double gap = 0;         // primal − the best lower bound of its minimum: never below 0, but for rounding
  uint64_t nonzeros = 0;  // of Weights()
};

// Runs body(part, parts) for each part < parts, each perhaps in a thread of its own, and returns when all are
// done. Results do not depend on how many parts there are.
using Parallel = std::function<void(const std::function<void(size_t part, size_t parts)>& body)>;

class Solver {
 public:
  Solver() = default;
  virtual ~Solver() = default;
  Solver(const Solver&) = delete;
  Solver& operator=(const Solver&) = delete;

  // One epoch: about one pass over the examples; more or less where the solver says so.
  virtual void Step() = 0;

  // Where it stands. A pass over the examples; no step depends on it, but a bound found is kept.
  virtual Progress Report() = 0;

  // weights[feature·outputs + output]; outputs is 1 but for multiclass solvers. Holds until the next call.
  virtual std::span<const double> Weights() = 0;

  // All that a solver carries from one epoch to the next, in a fixed order. What stands there, written back
  // into a new solver of the same examples, options and seed, continues to the bit.
  virtual std::vector<std::span<double>> Memory() = 0;

  // Begins from these weights; only before the first Step. False: this solver cannot, and nothing happened.
  virtual bool WarmStart(std::span<const double> /*weights*/) { return false; }
};

// The counters of a solver, as part of its memory: whole numbers, exact below 2^53.
struct Tally {
  double epochs = 0;
  double data_accesses = 0;

  std::span<double> AsMemory() { return {&epochs, 2}; }
  void Count(size_t entries) { data_accesses += static_cast<double>(entries); }

  Progress Begun(uint64_t entries) const {
    return {.epochs = static_cast<uint64_t>(epochs),
            .data_accesses = static_cast<uint64_t>(data_accesses),
            .passes = entries == 0 ? epochs : data_accesses / static_cast<double>(entries)};
  }
};

// The best lower bound of the minimum that reports found, as part of a solver's memory: a dual's value bounds
// the minimum wherever it was taken.
struct BestBound {
  double value = -std::numeric_limits<double>::infinity();

  std::span<double> AsMemory() { return {&value, 1}; }
  double GapOf(double primal, double bound) {
    value = std::max(value, bound);
    return primal - value;
  }
};

inline uint64_t CountNonzeros(std::span<const double> weights) {
  uint64_t count = 0;
  for (const double w : weights) count += w != 0 ? 1 : 0;
  return count;
}

}  // namespace thresher::learners::batch
