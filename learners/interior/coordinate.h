// One weight as a primal-dual interior-point method holds it: b⁺ − b⁻ with b > 0, each b with the multiplier
// z > 0 of its bound, and the Newton step of one of them.
//
// With the descent direction e = −(loss gradient) − λ/n of b and the barrier parameter μ,
//   Δb = (μ + e b)/(b + z)        Δz = (μ − e z)/(b + z) − z
// This is Δb = (e + μ/b)/(1 + z/b), Δz = μ/b − z − Δb z/b, written with one division and without
// cancellation.
//
// Used by interior_point.cc and the files of this folder. Thread-safety: plain values.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace thresher::learners {

// A change of b and z.
struct NewtonStep {
  double b = 0;
  double z = 0;
};

// A variable b > 0 with the multiplier z > 0 of that bound.
struct BoundedVariable {
  // b and z are clamped to this range, so that what decays for ever does not underflow, and no product or sum
  // of products overflows.
  static constexpr double kSmallest = 1e-150;
  static constexpr double kLargest = 1e130;

  double b = 0;
  double z = 0;

  bool IsInRange() const { return b >= kSmallest && b <= kLargest && z >= kSmallest && z <= kLargest; }

  // The complementarity product.
  double Product() const { return b * z; }

  NewtonStep StepFor(double descent, double barrier) const {
    const double inverse = 1 / (b + z);
    return {.b = barrier * inverse + descent * (b * inverse),
            .z = barrier * inverse - descent * (z * inverse) - z};
  }

  BoundedVariable Clamped() const {
    return {.b = std::clamp(b, kSmallest, kLargest), .z = std::clamp(z, kSmallest, kLargest)};
  }

  BoundedVariable Moved(const NewtonStep& step, double length) const {
    return BoundedVariable{.b = b + length * step.b, .z = z + length * step.z}.Clamped();
  }
};

// The two parts of a weight: [0] is b⁺, [1] is b⁻. All zero = never seen.
struct Coordinate {
  std::array<BoundedVariable, 2> sides;

  // Only such a coordinate can take steps: if a b were 0 or below, no step would be short enough.
  bool IsInRange() const { return sides[0].IsInRange() && sides[1].IsInRange(); }
  bool IsSound() const {
    const auto is_zero = [](const BoundedVariable& side) { return side.b == 0 && side.z == 0; };
    return IsInRange() || (is_zero(sides[0]) && is_zero(sides[1]));
  }
  bool IsSeen() const { return sides[0].b != 0; }
  double Weight() const { return sides[0].b - sides[1].b; }
  double Product() const { return sides[0].Product() + sides[1].Product(); }
};

// The longest step that keeps every variable positive: at most `length`, at most .995 of the way to any
// z = 0, and halved until no b is 0 or below.
struct StepLimit {
  double length = 0;
  double to_boundary = std::numeric_limits<double>::infinity();  // the length at which the first b is 0

  void Include(const BoundedVariable& from, const NewtonStep& step) {
    if (step.z < 0) length = std::min(length, 0.995 * from.z / -step.z);
    if (step.b < 0) to_boundary = std::min(to_boundary, from.b / -step.b);
  }

  double Longest() const {
    double inside = length;
    while (inside >= to_boundary) inside /= 2;
    return inside;
  }
};

}  // namespace thresher::learners
