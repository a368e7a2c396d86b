// What is particular to FTRL: when it knows how many weights are not zero.
#include <gtest/gtest.h>

#include <cmath>

#include "tests/learners/random_stream.h"
#include "tests/learners/test_model.h"

namespace thresher::learners {
namespace {

std::shared_ptr<const Learner> Ftrl(const OptionValues& options) {
  auto learner = MakeLearner("ftrl", options);
  EXPECT_TRUE(learner.has_value()) << learner.error();
  return std::move(*learner);
}

// After each of 2,000 steps; `rebases` is how many passes over the rows that takes at least.
void CheckCountsAtEveryStep(const OptionValues& options, int rebases) {
  TestModel model(Ftrl(options));
  RandomStream stream(5, 48);
  uint64_t before = 0;
  int falls = 0;
  for (int step = 0; step < 2000; ++step) {
    model.Learn(stream.Next());
    const auto counted = model.SparsityNow();
    ASSERT_TRUE(counted.has_value());
    uint64_t nonzeros = 0;
    double l1_norm = 0;
    for (const auto& [id, row] : model.rows()) {
      nonzeros += model.Weight(id) != 0 ? 1 : 0;
      l1_norm += std::abs(model.Weight(id));
    }
    ASSERT_EQ(counted->nonzeros, nonzeros) << step;
    ASSERT_NEAR(counted->l1_norm, l1_norm, 1e-13 * l1_norm) << step;
    falls += nonzeros < before ? 1 : 0;
    before = nonzeros;
  }
  EXPECT_GT(falls, 10);
  EXPECT_GE(model.rebases(), rebases);
}

TEST(Ftrl, CountsItsWeights) {
  CheckCountsAtEveryStep({}, 10);
  CheckCountsAtEveryStep({{"significance", "1"}, {"warm_up", "0"}, {"bias", "on"}}, 10);
  CheckCountsAtEveryStep({{"forget_every", "100"}}, 29);
}

TEST(Ftrl, CountsItsWeightsAsThePaperHasIt) {
  CheckCountsAtEveryStep({{"significance", "0"}, {"warm_up", "0"}, {"l1", "0.1"}}, 0);
}

}  // namespace
}  // namespace thresher::learners
