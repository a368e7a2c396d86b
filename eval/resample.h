// Bootstrap: how much figures would vary if other messages of the same kind had come.
//
// Used by roc and comparison. Messages that a figure cannot tell apart are drawn together, as a cell: a
// million of them cost as much as a few thousand. Seeded: the same input gives the same interval.
// Thread-safety: one thread at a time.
#pragma once

#include <cstdint>
#include <random>
#include <span>
#include <vector>

namespace thresher::eval {

inline constexpr size_t kResamples = 1000;

using Random = std::mt19937_64;

// Draws with replacement as many messages as there are in all cells.
class Resampler {
 public:
  explicit Resampler(std::span<const uint64_t> sizes);

  // How often a message of each cell came up: a multinomial sample. As long as `sizes`.
  const std::vector<uint64_t>& Draw(Random& random);

 private:
  std::vector<uint64_t> sizes_;
  std::vector<uint32_t> large_;   // cells, each drawn at once
  std::vector<uint32_t> owners_;  // the cell of each message of the others, which are drawn one by one
  uint64_t total_ = 0;
  std::vector<uint64_t> times_;
};

// The middle 95 % of values. REQUIRES: there are some.
struct Middle {
  double low;
  double high;
};
Middle MiddleOf(std::vector<double> values);

}  // namespace thresher::eval
