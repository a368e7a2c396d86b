// The fixture of the conformance tests: they run over the registry of learners, each test with many random
// options and streams.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <memory>
#include <ostream>
#include <random>
#include <string>
#include <vector>

#include "tests/learners/random_stream.h"
#include "tests/learners/test_model.h"
#include "tests/rounds.h"

namespace thresher::learners {

// GoogleTest prints parameters with it.
inline void PrintTo(const LearnerSpec& spec, std::ostream* out) { *out << spec.name; }

// The name of an instantiated test.
inline std::string LearnerName(const testing::TestParamInfo<LearnerSpec>& learner) {
  std::string name(learner.param.name);
  std::erase(name, '-');
  return name;
}

inline constexpr size_t kDimension = 48;
inline constexpr int kDraws = Draws(60);  // of options and stream, per learner

inline std::shared_ptr<const Learner> MakeShared(std::string_view name, const OptionValues& options) {
  auto learner = MakeLearner(name, options);
  EXPECT_TRUE(learner.has_value()) << learner.error();
  return std::move(*learner);
}

inline double LargestWeight(const std::vector<double>& weights) {
  double largest = 0;
  for (const double w : weights) largest = std::max(largest, std::abs(w));
  return largest;
}

// Half of the streams have equal values.
inline ValueShape ShapeOf(uint64_t seed) {
  if (seed % 2 == 0) return ValueShape::kEqual;
  return seed % 4 == 1 ? ValueShape::kAny : ValueShape::kOfKinds;
}

// One draw of a learner's options and of a stream.
struct Draw {
  Draw(const LearnerSpec& spec, uint64_t seed)
      : random(seed),
        learner(MakeShared(spec.name, RandomOptions(spec, random))),
        stream(seed, kDimension, ShapeOf(seed)) {}

  std::mt19937_64 random;
  std::shared_ptr<const Learner> learner;
  RandomStream stream;
};

class LearnerTest : public testing::TestWithParam<LearnerSpec> {
 protected:
  // Runs `check(draw)` over many draws and names the one that failed.
  template <class Check>
  void ForEachDraw(int draws, Check check) {
    for (int seed = 0; seed < draws && !HasFailure(); ++seed) {
      Draw draw(GetParam(), static_cast<uint64_t>(seed));
      SCOPED_TRACE(testing::Message() << "seed " << seed << ": " << draw.learner->OptionsText());
      check(draw);
    }
  }
};

}  // namespace thresher::learners
