// Seeded streams of examples and draws of options, shared by the learners' tests.
#pragma once

#include <cstdint>
#include <random>
#include <vector>

#include "learners/registry.h"
#include "tests/learners/test_model.h"

namespace thresher::learners {

// How the values of an example differ.
enum class ValueShape {
  kEqual,    // not at all
  kOfKinds,  // features with the same number modulo three have the same value
  kAny,      // freely, with either sign and zeros
};

// Examples over features 0 … dimension−1 with ‖x‖₂ ≤ 1: common and rare features, features that stay away for
// hundreds of steps, and now and then no feature at all. Labels follow hidden weights, with noise.
class RandomStream {
 public:
  // kEqual for even seeds, kAny for odd ones.
  RandomStream(uint64_t seed, size_t dimension);
  RandomStream(uint64_t seed, size_t dimension, ValueShape shape);
  Example Next();

 private:
  bool Absent(size_t feature) const;
  double Value(size_t feature);

  std::mt19937_64 random_;
  std::vector<double> hidden_;
  std::vector<double> chance_;  // how often each feature occurs
  ValueShape shape_;
  uint64_t time_ = 0;
};

// Values for every option of `spec`: zeros, defaults and the extremes between which a step on ‖x‖₂ ≤ 1 does
// not amplify rounding errors. Passes the spec's own check.
OptionValues RandomOptions(const LearnerSpec& spec, std::mt19937_64& random);

}  // namespace thresher::learners
