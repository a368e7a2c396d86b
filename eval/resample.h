// The bootstrap: resamples of the messages, from which the variation of a figure is estimated.
//
// Used by roc and comparison. Messages that are the same to a figure form a cell, which is drawn at once: a
// million messages cost as much as a few thousand. The same seed and input give the same interval.
// Thread-safety: one thread at a time.
#pragma once

#include <cstdint>
#include <random>
#include <span>
#include <vector>

namespace thresher::eval {

inline constexpr size_t kResamples = 1000;

using Random = std::mt19937_64;

// Draws as many messages as all cells have, with replacement.
class Resampler {
 public:
  explicit Resampler(std::span<const uint64_t> sizes);

  // How often each cell was drawn: a multinomial sample, as long as `sizes`.
  const std::vector<uint64_t>& Draw(Random& random);

 private:
  std::vector<uint64_t> sizes_;
  std::vector<uint32_t> large_;   // cells that are drawn at once
  std::vector<uint32_t> owners_;  // of the messages that are drawn one by one: their cells
  uint64_t total_ = 0;
  std::vector<uint64_t> times_;
};

// The middle 95 % of the values. REQUIRES: there is at least one.
struct Middle {
  double low;
  double high;
};
Middle MiddleOf(std::vector<double> values);

}  // namespace thresher::eval
