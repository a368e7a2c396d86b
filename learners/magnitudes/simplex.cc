#include "learners/magnitudes/simplex.h"

#include <algorithm>
#include <cstdint>
#include <vector>

#include "learners/sums/compensated_sum.h"

namespace thresher::learners {
namespace {

// θ, as the sum of a number near it and the small rest.
struct SplitThreshold {
  double near = 0;
  double rest = 0;

  // The difference to the near number keeps its digits.
  double Project(double v) const { return std::max(v - near - rest, 0.0); }
};

// Σ max(v − θ, 0) over some coordinates, at a θ that is at most each of them.
struct MassAbove {
  double theta = 0;
  double sum = 0;
  double count = 0;  // of these coordinates: by which the sum grows when θ falls

  // At a smaller θ, with more coordinates. All that is added up is positive, but for rounding.
  template <class Iterator>
  MassAbove With(double next, Iterator begin, Iterator end) const {
    CompensatedSum all;
    all.Add(sum);
    all.Add((theta - next) * count);
    for (auto v = begin; v != end; ++v) all.Add(*v - next);
    return {.theta = next, .sum = all.Value(), .count = count + static_cast<double>(end - begin)};
  }
};

// The θ at which Σ max(v − θ, 0) is `total`. REQUIRES: total > 0, not empty. Reorders.
SplitThreshold ThresholdForTotal(std::vector<double>& coordinates, double total) {
  uint64_t random = 0x9E3779B97F4A7C15;  // Knuth's linear congruential generator; only its upper half is used
  auto begin = coordinates.begin();      // the coordinates still to be decided
  auto end = coordinates.end();
  MassAbove above;
  while (begin != end) {
    random = random * 6364136223846793005U + 1442695040888963407U;
    const auto at = static_cast<int64_t>((random >> 32) % static_cast<uint64_t>(end - begin));
    const double pivot = begin[at];
    const auto split = std::partition(begin, end, [&](double v) { return v >= pivot; });
    const MassAbove with = above.With(pivot, begin, split);
    if (with.sum < total) {
      above = with;
      begin = split;
    } else {
      end = std::partition(begin, split, [&](double v) { return v > pivot; });
    }
  }
  return {.near = above.theta, .rest = (above.sum - total) / above.count};
}

}  // namespace

void ProjectOntoSimplex(std::span<double> v, double total) {
  if (total == 0) {
    std::ranges::fill(v, 0.0);
    return;
  }
  std::vector<double> coordinates(v.begin(), v.end());
  const SplitThreshold threshold = ThresholdForTotal(coordinates, total);
  for (double& value : v) value = threshold.Project(value);
}

}  // namespace thresher::learners
