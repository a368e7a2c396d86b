#include "eval/resample.h"

#include <algorithm>
#include <random>

namespace thresher::eval {
namespace {

constexpr uint32_t kSeed = 20050101;

// A number below `bound`, by the high bits of a product: its bias, below bound/2^32, is none that shows here.
uint32_t Below(uint32_t bound, std::mt19937& random) {
  return static_cast<uint32_t>((uint64_t{random()} * bound) >> 32);
}

}  // namespace

void ForEachResample(std::span<const Outcome> judged, size_t resamples,
                     const std::function<void(std::span<const uint32_t> times)>& visit) {
  std::vector<uint32_t> classes[2];
  for (uint32_t i = 0; i < judged.size(); ++i) classes[judged[i].judged_spam ? 1 : 0].push_back(i);
  std::mt19937 random(kSeed);
  std::vector<uint32_t> times(judged.size());
  for (size_t resample = 0; resample < resamples; ++resample) {
    std::fill(times.begin(), times.end(), 0);
    for (const auto& members : classes) {
      const auto count = static_cast<uint32_t>(members.size());
      for (uint32_t draw = 0; draw < count; ++draw) ++times[members[Below(count, random)]];
    }
    visit(times);
  }
}

Middle MiddleOf(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  const auto at = [&](double share) {
    return values[static_cast<size_t>(share * static_cast<double>(values.size() - 1) + 0.5)];
  };
  return {at(0.025), at(0.975)};
}

}  // namespace thresher::eval
