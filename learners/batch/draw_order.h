// The order in which a solver visits its coordinates during an epoch. A function of seed and epoch alone, so
// that a resumed run draws the same as an uninterrupted one.
//
// Used by the coordinate solvers. Thread-safety: a plain value.
#pragma once

#include <array>
#include <cstdint>
#include <numeric>
#include <string_view>
#include <utility>
#include <vector>

#include "learners/options.h"

namespace thresher::learners::batch {

// SplitMix64: Steele, Lea & Flood, "Fast Splittable Pseudorandom Number Generators" (2014), Fig. 17.
class Draws {
 public:
  Draws(uint64_t seed, uint64_t epoch) : state_(Mixed(seed) ^ Mixed(~epoch)) {}

  uint64_t Next() { return Mixed(state_ += 0x9E3779B97F4A7C15); }
  // A uniform number below `count`, with a bias of at most 2^-32.
  uint32_t Below(uint32_t count) {
    return static_cast<uint32_t>(((Next() >> 32) * static_cast<uint64_t>(count)) >> 32);
  }

 private:
  static uint64_t Mixed(uint64_t z) {
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EB;
    return z ^ (z >> 31);
  }

  uint64_t state_;
};

enum class DrawOrder { kPermuted, kSampled, kCyclic };

inline constexpr std::array<std::string_view, 3> kDrawOrderNames = {"permuted", "sampled", "cyclic"};
inline constexpr OptionSpec kDrawOrderOption = {
    .name = "order",
    .default_value = "permuted",
    .choices = kDrawOrderNames,
    .help = "order of coordinates in an epoch: random permutation, sampled with replacement, or cyclic"};

inline DrawOrder ReadDrawOrder(const OptionValues& complete) {
  const std::string_view name = WordOption(complete, kDrawOrderOption.name);
  if (name == "cyclic") return DrawOrder::kCyclic;
  return name == "sampled" ? DrawOrder::kSampled : DrawOrder::kPermuted;
}

// Brings `items` into the order of this epoch. With kSampled, some items occur more than once and others not
// at all.
inline void Arrange(DrawOrder order, Draws draws, std::vector<uint32_t>* items) {
  const auto count = static_cast<uint32_t>(items->size());
  if (order == DrawOrder::kPermuted) {
    for (uint32_t left = count; left > 1; --left) std::swap((*items)[left - 1], (*items)[draws.Below(left)]);
  } else if (order == DrawOrder::kSampled) {
    const std::vector<uint32_t> all = *items;
    for (uint32_t& item : *items) item = all[draws.Below(count)];
  }
}

inline std::vector<uint32_t> AllBelow(uint32_t count) {
  std::vector<uint32_t> all(count);
  std::iota(all.begin(), all.end(), 0U);
  return all;
}

// The numbers below `count` in the order of this epoch.
inline std::vector<uint32_t> EpochOrder(DrawOrder order, size_t count, uint64_t seed, double epoch) {
  std::vector<uint32_t> items = AllBelow(static_cast<uint32_t>(count));
  Arrange(order, Draws(seed, static_cast<uint64_t>(epoch)), &items);
  return items;
}

}  // namespace thresher::learners::batch
