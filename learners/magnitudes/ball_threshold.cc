#include "learners/magnitudes/ball_threshold.h"

#include <algorithm>
#include <cstdint>

#include "learners/sums/compensated_sum.h"

namespace thresher::learners {
namespace {

// Moves the numbers of [begin, end) for which `belongs` holds to the front, adds them to *sum and returns
// their end.
template <class Belongs>
double* GatherInFront(double* begin, double* end, Belongs belongs, CompensatedSum* sum) {
  CompensatedSum gathered = *sum;
  double* front_end = begin;
  for (double* at = begin; at != end; ++at) {
    const double value = *at;
    const bool is_wanted = belongs(value);
    *at = *front_end;
    *front_end = value;
    front_end += is_wanted ? 1 : 0;
    gathered.Add(is_wanted ? value : 0.0);
  }
  *sum = gathered;
  return front_end;
}

double Threshold(const CompensatedSum& sum, double radius, uint64_t count) {
  CompensatedSum excess = sum;
  excess.Add(-radius);
  return std::max(0.0, excess.Value() / static_cast<double>(count));
}

// Whether Σ (u − v) is below the radius, for the `count` numbers u of this sum. If these are all numbers
// u ≥ v, it says whether v is above θ.
bool IsAbove(double v, const CompensatedSum& sum, uint64_t count, double radius) {
  return sum.sum - static_cast<double>(count) * v + sum.error < radius;
}

}  // namespace

double BallThreshold(std::span<double> magnitudes, double radius) {
  uint64_t random = 0x9E3779B97F4A7C15;  // Knuth's linear congruential generator; only its upper half is used
  CompensatedSum sum;                    // of the numbers that are known to be above θ
  uint64_t count = 0;
  double* begin = magnitudes.data();  // the numbers still to be decided
  double* end = begin + magnitudes.size();
  while (begin != end) {
    random = random * 6364136223846793005U + 1442695040888963407U;
    const double pivot = begin[(random >> 32) % static_cast<uint64_t>(end - begin)];
    CompensatedSum with = sum;
    double* const split = GatherInFront(
        begin, end, [&](double u) { return u >= pivot; }, &with);
    const uint64_t count_with = count + static_cast<uint64_t>(split - begin);
    if (IsAbove(pivot, with, count_with, radius)) {
      sum = with;
      count = count_with;
      begin = split;
    } else {
      CompensatedSum ignored;
      end = GatherInFront(
          begin, split, [&](double u) { return u > pivot; }, &ignored);
    }
  }
  if (count > 0) return Threshold(sum, radius, count);
  // The largest number is above θ. Rounding hides that only if the radius is far smaller: then θ is about as
  // large.
  return magnitudes.empty() ? 0 : *std::ranges::max_element(magnitudes);
}

}  // namespace thresher::learners
