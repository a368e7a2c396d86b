// What is particular to FTRL: weights change when the clock doubles, and rows of weight 0 are reset.
#include <gtest/gtest.h>

#include <bit>
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

uint64_t Nonzeros(const TestModel& model) {
  uint64_t nonzeros = 0;
  for (const auto& [id, row] : model.rows()) nonzeros += model.Weight(id) != 0 ? 1 : 0;
  return nonzeros;
}

// The step is three times as long, or nearly: the model is not sure of anything. The next step is as long as
// after any example.
TEST(Ftrl, AMistakeCountsThreeTimesInZAndOnceInN) {
  const OptionValues plain = {
      {"alpha", "0.9"}, {"beta", "1"}, {"l1", "0"}, {"significance", "0"}, {"warm_up", "0"}};
  const auto weight = [&](Occasion first, Occasion second) {
    TestModel model(Ftrl(plain));
    const Example example{.ids = {7}, .values = {1}, .label = Label::kSpam};
    for (const Occasion occasion : {first, second}) model.LearnWithMargin(example, 0, occasion);
    return model.Weight(7);
  };
  // g = −1/2 both times; σ₁ = 1/(2α), σ₂ = (√(1/2) − 1/2)/α.
  const double root = std::sqrt(0.5);
  const auto expected = [&](double first, double second) {
    const double after_one = 0.9 * first * 0.5 / (1 + 0.5);
    const double z = -first * 0.5 - second * 0.5 - (root - 0.5) / 0.9 * after_one;
    return -0.9 * z / (1 + root);
  };
  const double times = 3 - 2 * 0.003;
  EXPECT_NEAR(weight(Occasion::kNew, Occasion::kAgain), expected(1, 1), 1e-12);
  EXPECT_NEAR(weight(Occasion::Mistake(1e9), Occasion::kNew), expected(times, 1), 1e-12);
  EXPECT_NEAR(weight(Occasion::kNew, Occasion::Mistake(1e9)), expected(1, times), 1e-12);
}

TEST(Ftrl, TheClockRemovesWeightsWithoutARebase) {
  TestModel model(Ftrl({{"significance", "1"}, {"min_gradient", "0"}}));
  RandomStream stream(5, 48);
  const Example empty;
  uint64_t removed = 0;
  while (model.steps() < 4096) {
    const bool clock_moves = std::has_single_bit(static_cast<unsigned>(model.steps()) + 1);
    const uint64_t before = Nonzeros(model);
    model.Learn(clock_moves ? empty : stream.Next());
    if (clock_moves) removed += before - Nonzeros(model);
  }
  EXPECT_GT(removed, 0u);
  EXPECT_EQ(model.rebases(), 0);
}

// At first there are more weights than under the penalty of the end, and at last fewer than under that of the
// beginning.
TEST(Ftrl, APenaltyThatGrowsAsksForMoreEvidenceLater) {
  const auto nonzeros = [](const char* l1, const char* growth) {
    TestModel model(Ftrl({{"l1", l1}, {"l1_growth", growth}, {"significance", "0"}, {"min_gradient", "0"}}));
    RandomStream stream(5, 48);
    std::pair<uint64_t, uint64_t> found;
    while (model.steps() < 1024) {
      model.Learn(stream.Next());
      if (model.steps() == 31) found.first = Nonzeros(model);
    }
    found.second = Nonzeros(model);
    return found;
  };
  const auto [first, last] = nonzeros("0.002", "1");  // about 2 after 1,024 steps
  EXPECT_GT(first, nonzeros("2", "0").first);
  EXPECT_LT(last, nonzeros("0.002", "0").second);
  EXPECT_GT(last, 0u);
}

TEST(Ftrl, ForgetEveryResetsRowsOfWeightZero) {
  TestModel model(Ftrl({{"forget_every", "100"}, {"min_gradient", "0"}}));
  RandomStream stream(5, 48);
  while (model.steps() < 500) {
    model.Learn(stream.Next());
    if (model.steps() % 100 != 0) continue;
    EXPECT_EQ(model.LiveRows().size(), Nonzeros(model));
  }
  EXPECT_EQ(model.rebases(), 5);
}

TEST(Ftrl, ForgetBelowKeepsRowsWithEvidence) {
  const auto rows = [](const char* forget_every, const char* forget_below) {
    TestModel model(Ftrl({{"l1", "0.5"},
                          {"min_gradient", "0"},
                          {"forget_every", forget_every},
                          {"forget_below", forget_below}}));
    RandomStream stream(5, 48);
    while (model.steps() < 500) model.Learn(stream.Next());
    return std::pair(model.LiveRows().size(), Nonzeros(model));
  };
  const auto [all, weights] = rows("0", "0");
  EXPECT_LT(rows("100", "0").first, rows("100", "0.5").first);
  EXPECT_LT(rows("100", "0.5").first, all);
  // Rows without any evidence are forgotten, and nothing else changes.
  EXPECT_EQ(rows("100", "1e-9").second, weights);
}

}  // namespace
}  // namespace thresher::learners
