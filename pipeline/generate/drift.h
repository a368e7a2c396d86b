// How the stream changes with time: topics change with the season, words in fashion with the period.
//
// Used by the generator's ham and spam writers. Thread-safety: pure but for the Random.
#pragma once

#include <algorithm>
#include <cassert>
#include <cstdint>

#include "pipeline/generate/random.h"

namespace thresher::pipeline::synthetic {

constexpr uint64_t kPeriodMessages = 200;
constexpr uint64_t kHamSeasonMessages = 3000;
constexpr uint64_t kSpamSeasonMessages = 2200;

constexpr uint64_t PeriodOf(uint64_t message) { return message / kPeriodMessages; }

// The relative frequency of choice `index` of `count` at a message: 1 most of the time, up to 25 around its
// own part of the season. Whole numbers only: they are the same on every machine.
constexpr uint64_t SeasonalWeight(size_t index, size_t count, uint64_t message, uint64_t season) {
  assert(count > 0);
  const uint64_t now = message % season;
  const uint64_t peak = index * season / count;
  const uint64_t apart = now > peak ? now - peak : peak - now;
  const uint64_t distance = std::min(apart, season - apart);
  return 1 + (distance * 4 < season ? 24 * (season - distance * 4) / season : 0);
}

inline size_t SeasonalPick(size_t count, uint64_t message, uint64_t season, Random& random) {
  uint64_t total = 0;
  for (size_t i = 0; i < count; ++i) total += SeasonalWeight(i, count, message, season);
  uint64_t left = random.Below(total);
  size_t index = 0;
  for (; left >= SeasonalWeight(index, count, message, season); ++index) {
    left -= SeasonalWeight(index, count, message, season);
  }
  return index;
}

}  // namespace thresher::pipeline::synthetic
