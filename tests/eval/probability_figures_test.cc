#include "eval/probability_figures.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

namespace thresher::eval {
namespace {

Outcome Bet(bool spam, double probability) { return {.judged_spam = spam, .probability = probability}; }

TEST(JudgeProbabilities, ByHand) {
  const std::vector<Outcome> outcomes = {Bet(true, 0.9), Bet(false, 0.9), Bet(false, 0.12), {}};
  const auto figures = JudgeProbabilities(outcomes);
  ASSERT_TRUE(figures);
  EXPECT_EQ(figures->messages, 3U);
  EXPECT_NEAR(figures->log_loss, -(std::log(0.9) + std::log(0.1) + std::log(0.88)) / 3, 1e-12);
  EXPECT_NEAR(figures->brier, (0.01 + 0.81 + 0.0144) / 3, 1e-12);
  EXPECT_NEAR(figures->calibration_error, (2 * 0.4 + 0.12) / 3, 1e-12);
  ASSERT_EQ(figures->reliability.size(), kReliabilityBins);
  EXPECT_EQ(figures->reliability[18].messages, 2U);
  EXPECT_NEAR(figures->reliability[18].mean_probability, 0.9, 1e-12);
  EXPECT_EQ(figures->reliability[18].spam_share, 0.5);
  EXPECT_LT(figures->reliability[18].spam_share_low, 0.5);
  EXPECT_EQ(figures->reliability[2].messages, 1U);
  EXPECT_EQ(figures->reliability[0].messages, 0U);
}

TEST(JudgeProbabilities, CertaintyIsInRangeAndFinite) {
  const std::vector<Outcome> outcomes = {Bet(true, 1), Bet(false, 0), Bet(true, 0)};
  const auto figures = JudgeProbabilities(outcomes);
  ASSERT_TRUE(figures);
  EXPECT_NEAR(figures->log_loss, -std::log(1e-15) / 3, 1e-9);
  EXPECT_EQ(figures->reliability.back().messages, 1U);
  EXPECT_EQ(figures->reliability.front().messages, 2U);
}

TEST(JudgeProbabilities, NothingIsKnownOfUnknownOnes) {
  EXPECT_FALSE(JudgeProbabilities({}));
  EXPECT_FALSE(JudgeProbabilities(std::vector<Outcome>(3)));
}

// Probabilities drawn, then labels by them: no calibration error but that of chance, and no other forecast
// bets better.
TEST(JudgeProbabilities, TheTruthIsCalibratedAndBetsBest) {
  std::mt19937_64 random(5);
  std::uniform_real_distribution<double> uniform;
  std::vector<Outcome> truth;
  std::vector<Outcome> timid;
  for (int i = 0; i < 100000; ++i) {
    const double p = uniform(random);
    truth.push_back(Bet(uniform(random) < p, p));
    timid.push_back(Bet(truth.back().judged_spam, 0.5 + (p - 0.5) / 2));
  }
  const auto honest = JudgeProbabilities(truth);
  const auto shy = JudgeProbabilities(timid);
  EXPECT_LT(honest->calibration_error, 0.01);
  EXPECT_NEAR(shy->calibration_error, 0.125, 0.01);
  EXPECT_LT(honest->log_loss, shy->log_loss);
  EXPECT_LT(honest->brier, shy->brier);
  EXPECT_NEAR(honest->brier, 1.0 / 6, 0.005);
}

}  // namespace
}  // namespace thresher::eval
