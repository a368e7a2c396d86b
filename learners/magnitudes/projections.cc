#include "learners/magnitudes/projections.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

#include "learners/sums/compensated_sum.h"

namespace thresher::learners {
namespace {

// A coordinate whose projection is max(v − θa, 0).
struct WeightedMagnitude {
  WeightedMagnitude(double value, double weight) : v(value), a(weight), ratio(value / weight) {}

  // v − θa, rounded once: it keeps its digits where θ is near the ratio.
  double Beyond(double theta) const { return theta == ratio ? 0 : std::fma(-theta, a, v); }

  double v;
  double a;
  double ratio;  // it is positive for θ below
};

// θ, as the sum of a number near it and the small rest.
struct SplitThreshold {
  double near = 0;
  double rest = 0;

  double Project(const WeightedMagnitude& c) const { return std::max(c.Beyond(near) - rest * c.a, 0.0); }
};

// Σ a·max(v − θa, 0) over some coordinates, at a θ that is at most the ratio of each of them.
struct MassAbove {
  double theta = 0;
  double sum = 0;
  double slope = 0;  // by which the sum grows when θ falls: Σ a²

  // At a smaller θ, with more coordinates. All that is added up is positive, but for rounding.
  template <class Iterator>
  MassAbove With(double next, Iterator begin, Iterator end) const {
    CompensatedSum all;
    CompensatedSum squares;
    all.Add(sum);
    all.Add((theta - next) * slope);
    squares.Add(slope);
    for (auto c = begin; c != end; ++c) {
      all.Add(c->a * c->Beyond(next));
      squares.Add(c->a * c->a);
    }
    return {.theta = next, .sum = all.Value(), .slope = squares.Value()};
  }
};

// The θ at which Σ a·max(v − θa, 0) is `total`. REQUIRES: total > 0, not empty, all a > 0. Reorders.
SplitThreshold ThresholdForTotal(std::vector<WeightedMagnitude>& coordinates, double total) {
  uint64_t random = 0x9E3779B97F4A7C15;  // Knuth's linear congruential generator; only its upper half is used
  auto begin = coordinates.begin();      // the coordinates still to be decided
  auto end = coordinates.end();
  MassAbove above;
  while (begin != end) {
    random = random * 6364136223846793005U + 1442695040888963407U;
    const auto at = static_cast<int64_t>((random >> 32) % static_cast<uint64_t>(end - begin));
    const double pivot = begin[at].ratio;
    const auto split =
        std::partition(begin, end, [&](const WeightedMagnitude& c) { return c.ratio >= pivot; });
    const MassAbove with = above.With(pivot, begin, split);
    if (with.sum < total) {
      above = with;
      begin = split;
    } else {
      end = std::partition(begin, split, [&](const WeightedMagnitude& c) { return c.ratio > pivot; });
    }
  }
  return {.near = above.theta, .rest = (above.sum - total) / above.slope};
}

}  // namespace

void ProjectOntoSimplex(std::span<double> v, double total) {
  if (total == 0) {
    std::ranges::fill(v, 0.0);
    return;
  }
  std::vector<WeightedMagnitude> coordinates;
  for (const double value : v) coordinates.emplace_back(value, 1);
  const SplitThreshold threshold = ThresholdForTotal(coordinates, total);
  for (double& value : v) value = threshold.Project({value, 1});
}

void ProjectOntoWeightedBall(std::span<double> v, std::span<const double> weights, double radius) {
  std::vector<WeightedMagnitude> coordinates;
  CompensatedSum norm;
  for (size_t i = 0; i < v.size(); ++i) {
    if (weights[i] == 0) continue;
    norm.Add(weights[i] * std::abs(v[i]));
    coordinates.emplace_back(std::abs(v[i]), weights[i]);
  }
  if (norm.Value() <= radius) return;
  const SplitThreshold threshold =
      radius > 0 ? ThresholdForTotal(coordinates, radius) : SplitThreshold{.near = HUGE_VAL};
  for (size_t i = 0; i < v.size(); ++i) {
    if (weights[i] == 0) continue;
    v[i] = std::copysign(threshold.Project({std::abs(v[i]), weights[i]}), v[i]);
  }
}

}  // namespace thresher::learners
