// The input of batch solvers: a sparse matrix by rows and by columns, and a target for each row.
//
// Views only. The caller owns the numbers, in memory or in mapped files, and must not change them while a
// solver uses them. Made by pipeline/fit. Thread-safety: plain values.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "learners/learner.h"

namespace thresher::learners::batch {

// The rows, or the columns, of a sparse matrix.
struct SparseLines {
  struct Line {
    std::span<const uint32_t> indices;  // ascending, each once, below `width`
    std::span<const float> values;      // finite

    size_t size() const { return indices.size(); }
  };

  std::span<const uint64_t> starts;  // where each line begins, and where the last one ends
  std::span<const uint32_t> indices;
  std::span<const float> values;
  uint32_t width = 0;  // number of possible indices

  size_t size() const { return starts.empty() ? 0 : starts.size() - 1; }
  uint64_t entries() const { return values.size(); }
  Line operator[](size_t i) const {
    const uint64_t begin = starts[i];
    const uint64_t count = starts[i + 1] - begin;
    return {indices.subspan(begin, count), values.subspan(begin, count)};
  }
};

struct Examples {
  SparseLines rows;                // examples × features
  SparseLines columns;             // the same entries, features × examples
  std::span<const float> targets;  // per row: ±1, a number, or the class 0 … classes − 1
  uint32_t classes = 0;            // 0: targets are not classes
  // costs[y·classes + c]: of saying c where y is right, 0 for c = y, finite, not negative. Empty: all cost 1.
  std::span<const double> costs = {};

  double Target(size_t i) const { return static_cast<double>(targets[i]); }
  double Cost(size_t right, size_t said) const {
    if (right == said) return 0;
    return costs.empty() ? 1 : costs[right * classes + said];
  }
  // REQUIRES: targets are ±1.
  Label LabelOf(size_t i) const { return targets[i] > 0 ? Label::kSpam : Label::kHam; }
};

inline double SquaredNorm(const SparseLines::Line& line) {
  double sum = 0;
  for (const float value : line.values) sum += static_cast<double>(value) * static_cast<double>(value);
  return sum;
}

inline double LargestMagnitude(const SparseLines::Line& line) {
  double largest = 0;
  for (const float value : line.values) {
    const double magnitude = value < 0 ? -static_cast<double>(value) : static_cast<double>(value);
    largest = magnitude > largest ? magnitude : largest;
  }
  return largest;
}

// ⟨dense, line⟩, summed in the line's order.
inline double Dot(const SparseLines::Line& line, std::span<const double> dense) {
  double sum = 0;
  for (size_t k = 0; k < line.size(); ++k)
    sum += dense[line.indices[k]] * static_cast<double>(line.values[k]);
  return sum;
}

// dense += factor·line
inline void AddTo(const SparseLines::Line& line, double factor, std::span<double> dense) {
  for (size_t k = 0; k < line.size(); ++k)
    dense[line.indices[k]] += factor * static_cast<double>(line.values[k]);
}

}  // namespace thresher::learners::batch
