// Four floats with which one instruction computes at once, and for formulas that are written for them and for
// double alike, the functions that operators do not cover. Each lane has the bits of the scalar operation.
//
// Used by the files of FTRL. Thread-safety: pure functions.
#pragma once

#include <cmath>

namespace thresher::learners {

// The operators, comparisons and ?: of g++ and clang work on each lane.
using Floats = float __attribute__((vector_size(16)));
using Lanes = int __attribute__((vector_size(16)));  // of a comparison: −1 where it holds, else 0

inline Floats Everywhere(float number) { return Floats{number, number, number, number}; }

inline double Magnitude(double number) { return std::abs(number); }
inline Floats Magnitude(Floats numbers) { return numbers > -numbers ? numbers : -numbers; }

inline double SquareRoot(double number) { return std::sqrt(number); }
inline Floats SquareRoot(Floats numbers) {
  return Floats{std::sqrt(numbers[0]), std::sqrt(numbers[1]), std::sqrt(numbers[2]), std::sqrt(numbers[3])};
}

// Between −bound and bound.
inline Floats Within(Floats bound, Floats numbers) {
  const Floats above = numbers < -bound ? -bound : numbers;
  return above > bound ? bound : above;
}

}  // namespace thresher::learners
