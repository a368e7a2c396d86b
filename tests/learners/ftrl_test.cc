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

TEST(Ftrl, CountsItsWeightsAsThePaperHasIt) {
  const OptionValues options = {
      {"significance", "0"}, {"warm_up", "0"}, {"l1", "0.1"}, {"forget_every", "100"}};
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
  EXPECT_GT(model.rebases(), 0);
}

// Their weights move with the clock, also those that nothing touches.
TEST(Ftrl, DoesNotCountWithSignificanceOrWarmUp) {
  EXPECT_FALSE(TestModel(Ftrl({{"warm_up", "0"}})).SparsityNow().has_value());
  EXPECT_FALSE(TestModel(Ftrl({{"significance", "0"}})).SparsityNow().has_value());
}

}  // namespace
}  // namespace thresher::learners
