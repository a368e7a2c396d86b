// Seeded streams of examples and draws of options, shared by the learners' tests.
#pragma once

#include <cstdint>
#include <random>
#include <vector>

#include "learners/registry.h"
#include "tests/learners/test_model.h"

namespace thresher::learners {

// Examples over features 0 … dimension−1 with ‖x‖₂ ≤ 1: common and rare features, features that stay away for
// hundreds of steps, values of either sign, zeros, and now and then no feature at all. Labels follow hidden
// weights, with noise.
class RandomStream {
 public:
  RandomStream(uint64_t seed, size_t dimension);
  Example Next();

 private:
  bool Absent(size_t feature) const;

  std::mt19937_64 random_;
  std::vector<double> hidden_;
  std::vector<double> chance_;  // how often each feature occurs
  bool binary_;                 // all values of an example equal
  uint64_t time_ = 0;
};

// Values for every option of `spec`: zeros, defaults and the extremes between which a step on ‖x‖₂ ≤ 1 does
// not amplify rounding errors. Passes the spec's own check.
OptionValues RandomOptions(const LearnerSpec& spec, std::mt19937_64& random);

}  // namespace thresher::learners
