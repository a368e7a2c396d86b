// Learning rates over steps t = 0, 1, 2, … None exceeds the first, η0.
//
//   constant        η0
//   inverse         η0/(1 + t/t0)
//   inverse-sqrt    η0/√(1 + t/t0)
//
// Used once per step by the learners. Thread-safety: a plain value.
#pragma once

#include <cmath>
#include <cstdint>

namespace thresher::learners {

struct Schedule {
  enum class Kind { kConstant, kInverse, kInverseSqrt };

  Kind kind = Kind::kConstant;
  double first = 1;    // η0
  double horizon = 1;  // t0

  double Rate(uint64_t step) const {
    if (kind == Kind::kConstant) return first;
    const double elapsed = 1 + static_cast<double>(step) / horizon;
    return kind == Kind::kInverse ? first / elapsed : first / std::sqrt(elapsed);
  }
};

}  // namespace thresher::learners
