// The interface of every batch solver. Each epoch brings it nearer to the minimum of a stated objective over
// stored examples; a report gives an upper bound of the remaining gap.
//
// Called by pipeline/fit. A solver does no I/O and reads no clock; its random order is a function of the
// given seed. Thread-safety: one thread. A solver uses more threads only through the Parallel it is given.
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
  uint64_t data_accesses = 0;  // matrix entries read by steps; reports do not count
  double passes = 0;           // data_accesses over the number of entries
  double primal = 0;           // the objective at Weights()
  double gap = 0;              // primal − the best lower bound of the minimum; ≥ 0 up to rounding
  uint64_t nonzeros = 0;       // of Weights()
};

// Runs body(part, parts) for each part < parts, possibly in parallel, and returns when all are done. Results
// do not depend on the number of parts.
using Parallel = std::function<void(const std::function<void(size_t part, size_t parts)>& body)>;

class Solver {
 public:
  Solver() = default;
  virtual ~Solver() = default;
  Solver(const Solver&) = delete;
  Solver& operator=(const Solver&) = delete;

  // One epoch: about one pass over the examples, unless the solver documents otherwise.
  virtual void Step() = 0;

  // The current objective and gap; a pass over the examples. No step depends on it, but the best bound is
  // kept.
  virtual Progress Report() = 0;

  // weights[feature·outputs + output]; outputs is 1 except for multiclass solvers. Valid until the next call.
  virtual std::span<const double> Weights() = 0;

  // All state that a solver carries from one epoch to the next, in a fixed order. Copied into a new solver of
  // the same examples, options and seed, it continues to the bit.
  virtual std::vector<std::span<double>> Memory() = 0;

  // Starts from these weights; only before the first Step. Returns false, and changes nothing, if the solver
  // cannot.
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

// The best lower bound of the minimum that any report found, part of a solver's memory. Every value of the
// dual is such a bound.
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
