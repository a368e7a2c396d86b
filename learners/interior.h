// A coordinate's weight as a primal-dual interior-point method holds it, b⁺ − b⁻ with b > 0, each b with the
// multiplier z > 0 of that bound, and the Newton step of one of them.
//
// With the pull e = −(loss gradient) − λ/n on b and the barrier μ:
//   Δb = (μ + e b)/(b + z)        Δz = (μ − e z)/(b + z) − z
// which is Δb = (e + μ/b)/(1 + z/b), Δz = μ/b − z − Δb z/b with one division and nothing that cancels.
//
// Used by interior_point.cc and barrier_history.cc. Thread-safety: plain values.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace thresher::learners {

struct Direction {
  double b = 0;
  double z = 0;
};

struct Bounded {
  // Nothing leaves these: what decays for ever does not underflow, and no product or sum of products
  // overflows.
  static constexpr double kSmallest = 1e-150;
  static constexpr double kLargest = 1e130;

  double b = 0;
  double z = 0;

  double Product() const { return b * z; }

  Direction Towards(double pull, double barrier) const {
    const double inverse = 1 / (b + z);
    return {.b = barrier * inverse + pull * (b * inverse), .z = barrier * inverse - pull * (z * inverse) - z};
  }

  Bounded Kept() const {
    return {.b = std::clamp(b, kSmallest, kLargest), .z = std::clamp(z, kSmallest, kLargest)};
  }

  Bounded Moved(const Direction& direction, double step) const {
    return Bounded{.b = b + step * direction.b, .z = z + step * direction.z}.Kept();
  }
};

// The two signs of a coordinate: [0] is b⁺, [1] is b⁻. All zero = never seen.
struct Coordinate {
  std::array<Bounded, 2> sides;

  bool IsSound() const {
    return std::isfinite(sides[0].b) && std::isfinite(sides[0].z) && std::isfinite(sides[1].b) &&
           std::isfinite(sides[1].z);
  }
  bool IsSeen() const { return sides[0].b != 0; }
  double Weight() const { return sides[0].b - sides[1].b; }
  double Product() const { return sides[0].Product() + sides[1].Product(); }
};

// The longest step that leaves everything inside: at most `step`, at most .995 of the way to any z = 0, and
// halved until no b is 0 or below.
struct StepLimit {
  double step = 0;
  double to_boundary = std::numeric_limits<double>::infinity();  // at which the first b is 0

  void Heed(const Bounded& from, const Direction& direction) {
    if (direction.z < 0) step = std::min(step, 0.995 * from.z / -direction.z);
    if (direction.b < 0) to_boundary = std::min(to_boundary, from.b / -direction.b);
  }

  double Step() const {
    double inside = step;
    while (inside >= to_boundary) inside /= 2;
    return inside;
  }
};

}  // namespace thresher::learners
