// The random numbers of the mail generator: the same on every machine and with every standard library.
//
// xoshiro256++ of Blackman and Vigna, seeded through splitmix64. The order of draws is part of the result:
// never draw twice among the arguments of one call, because compilers evaluate them in different orders.
// Used by everything in generate/ that draws. Thread-safety: one thread at a time.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <iterator>

namespace thresher::pipeline::synthetic {

// The finaliser of splitmix64: a good hash of a number.
constexpr uint64_t Scramble(uint64_t x) {
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9;
  x = (x ^ (x >> 27)) * 0x94d049bb133111eb;
  return x ^ (x >> 31);
}

class Random {
 public:
  explicit Random(uint64_t seed) {
    for (uint64_t& word : state_) word = Scramble(seed += 0x9e3779b97f4a7c15);
  }

  uint64_t Next() {
    const uint64_t result = std::rotl(state_[0] + state_[3], 23) + state_[0];
    const uint64_t shifted = state_[1] << 17;
    state_[2] ^= state_[0];
    state_[3] ^= state_[1];
    state_[1] ^= state_[2];
    state_[0] ^= state_[3];
    state_[2] ^= shifted;
    state_[3] = std::rotl(state_[3], 45);
    return result;
  }

  // From 0 to count − 1. REQUIRES: 0 < count < 2³².
  size_t Below(size_t count) { return ((Next() >> 32) * count) >> 32; }

  // Both ends are possible. REQUIRES: low ≤ high.
  size_t Between(size_t low, size_t high) { return low + Below(high - low + 1); }

  bool Chance(double probability) { return static_cast<double>(Next() >> 11) * 0x1p-53 < probability; }

  // REQUIRES: the list is not empty.
  template <typename List>
  const auto& Pick(const List& list) {
    return list[Below(std::size(list))];
  }

 private:
  std::array<uint64_t, 4> state_;
};

}  // namespace thresher::pipeline::synthetic
