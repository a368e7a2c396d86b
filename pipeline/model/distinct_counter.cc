#include "pipeline/model/distinct_counter.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>

namespace thresher::pipeline {
namespace {

// Ids tell n-grams and tokens apart by their top bit and are otherwise mixed; one more multiplication spreads
// that bit.
uint64_t Mix(uint64_t id) {
  id *= 0x9e3779b97f4a7c15;
  return id ^ (id >> 29);
}

}  // namespace

void DistinctCounter::Add(std::span<const uint64_t> ids) {
  for (const uint64_t id : ids) {
    const uint64_t hash = Mix(id);
    // The top bits choose the register; a sentinel bit ends the run of zeros in the rest.
    const uint64_t rest = (hash << kIndexBits) | (uint64_t{1} << (kIndexBits - 1));
    uint8_t& longest = registers_[hash >> (64 - kIndexBits)];
    longest = std::max(longest, static_cast<uint8_t>(std::countl_zero(rest) + 1));
  }
}

double DistinctCounter::Estimate() const {
  const auto m = static_cast<double>(registers_.size());
  const double alpha = 0.7213 / (1 + 1.079 / m);
  double sum = 0;
  double zeros = 0;
  for (const uint8_t longest : registers_) {
    sum += std::ldexp(1.0, -longest);
    if (longest == 0) ++zeros;
  }
  const double raw = alpha * m * m / sum;
  const bool small = raw <= 2.5 * m && zeros > 0;
  return small ? m * std::log(m / zeros) : raw;
}

std::string Approximately(double estimate) {
  double unit = 1;
  while (estimate >= 100 * unit) unit *= 10;
  return fmt::format("≈{:.0f}", std::round(estimate / unit) * unit);
}

}  // namespace thresher::pipeline
