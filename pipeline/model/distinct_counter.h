// About how many distinct features a model was ever shown: HyperLogLog over feature ids, which are hashes
// already.
//
// Part of a model's globals, so it survives crashes with them: adding an id twice changes nothing. Source:
// Flajolet, Fusy, Gandouet, Meunier 2007 (Fig. 3, without the 32-bit large-range correction that 64-bit
// hashes do not need). Used by the globals and by the commands that print them. Thread-safety: a plain
// value, trivially copyable.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>

namespace thresher::pipeline {

class DistinctCounter {
 public:
  void Add(std::span<const uint64_t> ids);

  // Standard error 1.04/√4096 = 1.6 %.
  double Estimate() const;

 private:
  static constexpr int kIndexBits = 12;
  std::array<uint8_t, 1 << kIndexBits> registers_{};  // the longest run of zeros seen, plus one
};

// An estimate for people: "≈86000", as many digits as it is good for. The others differ with a model's seed.
std::string Approximately(double estimate);

}  // namespace thresher::pipeline
