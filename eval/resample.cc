#include "eval/resample.h"

#include <algorithm>
#include <cmath>

namespace thresher::eval {
namespace {

// A binomial number costs about as much as this many single draws.
constexpr uint64_t kLarge = 32;

// A random number below `bound`, from the high bits of a product. Its bias is below bound/2^64.
uint64_t Below(uint64_t bound, Random& random) {
  __extension__ using Wide = unsigned __int128;
  return static_cast<uint64_t>((Wide{random()} * bound) >> 64);
}

uint64_t Binomial(uint64_t draws, double share, Random& random) {
  return static_cast<uint64_t>(
      std::binomial_distribution<int64_t>(static_cast<int64_t>(draws), std::min(1.0, share))(random));
}

}  // namespace

Resampler::Resampler(std::span<const uint64_t> sizes) : sizes_(sizes.begin(), sizes.end()) {
  for (uint32_t cell = 0; cell < sizes_.size(); ++cell) {
    total_ += sizes_[cell];
    if (sizes_[cell] >= kLarge) {
      large_.push_back(cell);
    } else {
      owners_.insert(owners_.end(), sizes_[cell], cell);
    }
  }
}

// Each large cell gets a binomial share of the remaining draws; the rest is drawn one by one from the small
// cells.
const std::vector<uint64_t>& Resampler::Draw(Random& random) {
  times_.assign(sizes_.size(), 0);
  uint64_t draws = total_;
  uint64_t members = total_;  // of the remaining cells
  for (const uint32_t cell : large_) {
    times_[cell] =
        sizes_[cell] == members
            ? draws
            : Binomial(draws, static_cast<double>(sizes_[cell]) / static_cast<double>(members), random);
    draws -= times_[cell];
    members -= sizes_[cell];
  }
  for (; draws > 0; --draws) ++times_[owners_[Below(owners_.size(), random)]];
  return times_;
}

Middle MiddleOf(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  const auto at = [&](double share) {
    return values[static_cast<size_t>(std::lround(share * static_cast<double>(values.size() - 1)))];
  };
  return {at(0.025), at(0.975)};
}

}  // namespace thresher::eval
