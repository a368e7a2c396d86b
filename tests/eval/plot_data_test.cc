#include "eval/plot_data.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <numeric>
#include <random>

namespace thresher::eval {
namespace {

std::vector<Outcome> RandomOutcomes(size_t count, uint64_t seed) {
  std::mt19937_64 random(seed);
  std::normal_distribution normal;
  std::vector<Outcome> outcomes(count);
  for (Outcome& outcome : outcomes) {
    outcome.judged_spam = random() % 2 == 0;
    outcome.score = normal(random) + (outcome.judged_spam ? 2 : -2);
  }
  return outcomes;
}

uint64_t Sum(const std::vector<uint64_t>& counts) {
  return std::accumulate(counts.begin(), counts.end(), uint64_t{0});
}

TEST(RocCurve, OfFewMessagesIsEveryThreshold) {
  const std::vector<Outcome> outcomes = {{.judged_spam = false, .score = 1},
                                         {.judged_spam = true, .score = 2},
                                         {.judged_spam = false, .score = 3},
                                         {.judged_spam = true, .score = 3},
                                         {.judged_spam = true, .score = 4}};
  const std::vector<RocPoint> curve = RocCurve(Rank(outcomes));
  const uint64_t expected[][2] = {{0, 3}, {0, 2}, {1, 1}, {1, 0}, {2, 0}};
  ASSERT_EQ(curve.size(), 5U);
  for (size_t i = 0; i < 5; ++i) {
    EXPECT_EQ(curve[i].ham_lost, expected[i][0]) << i;
    EXPECT_EQ(curve[i].spam_seen, expected[i][1]) << i;
  }
  EXPECT_EQ(RocCurve(Rank({})).size(), 1U);
}

// Thinned or not, each threshold is near a point that is kept.
TEST(RocCurve, OfManyMessagesIsShortAndNear) {
  const std::vector<Outcome> outcomes = RandomOutcomes(200'000, 3);
  const Ranking ranking = Rank(outcomes);
  const std::vector<RocPoint> curve = RocCurve(ranking);
  EXPECT_LT(curve.size(), 2500U);
  EXPECT_GT(curve.size(), 300U);
  EXPECT_EQ(curve.back().ham_lost, ranking.ham);
  EXPECT_EQ(curve.back().spam_seen, 0U);
  uint64_t lost = 0;
  uint64_t seen = ranking.spam;
  size_t near = 0;
  const auto decades = [](uint64_t a, uint64_t b) {
    return std::abs(std::log10(std::max(0.5, double(a)) / std::max(0.5, double(b))));
  };
  for (size_t level = ranking.levels.size(); level-- > 1;) {
    lost += ranking.levels[level].ham;
    seen -= ranking.levels[level].spam;
    while (near + 1 < curve.size() && curve[near + 1].ham_lost <= lost && curve[near + 1].spam_seen >= seen)
      ++near;
    ASSERT_LT(decades(curve[near].ham_lost, lost) + decades(curve[near].spam_seen, seen), 0.006);
  }
}

TEST(HistogramOf, CountsEveryMessageOnce) {
  const std::vector<Outcome> outcomes = RandomOutcomes(10'000, 1);
  const ScoreHistogram histogram = HistogramOf(outcomes);
  const Ranking ranking = Rank(outcomes);
  EXPECT_EQ(Sum(histogram.ham), ranking.ham);
  EXPECT_EQ(Sum(histogram.spam), ranking.spam);
  const double middle = histogram.low + histogram.width * kHistogramBins / 2;
  uint64_t below = 0;
  for (const Outcome& outcome : outcomes) below += outcome.score < middle ? 1 : 0;
  uint64_t in_bins = 0;
  for (size_t bin = 0; bin < kHistogramBins / 2; ++bin) in_bins += histogram.ham[bin] + histogram.spam[bin];
  EXPECT_NEAR(double(in_bins), double(below), 2);
}

TEST(HistogramOf, OutliersDoNotSpoilIt) {
  std::vector<Outcome> outcomes = RandomOutcomes(10'000, 1);
  outcomes[0].score = std::numeric_limits<double>::max();
  outcomes[1].score = std::numeric_limits<double>::lowest();
  const ScoreHistogram histogram = HistogramOf(outcomes);
  EXPECT_LT(histogram.width, 1);
  EXPECT_EQ(Sum(histogram.ham) + Sum(histogram.spam), 10'000U);
}

TEST(HistogramOf, StandsWhateverIsFinite) {
  constexpr double kMost = std::numeric_limits<double>::max();
  for (const auto& [a, b] : {std::pair(-kMost, kMost), std::pair(0.0, 0.0), std::pair(0.0, 5e-324),
                             std::pair(100.00000000000003, 100.00000000000004),
                             std::pair(-100.00000000000004, -100.00000000000003)}) {
    const std::vector<Outcome> outcomes = {{.judged_spam = false, .score = a},
                                           {.judged_spam = true, .score = b}};
    const ScoreHistogram histogram = HistogramOf(outcomes);
    EXPECT_TRUE(std::isfinite(histogram.width) && std::isfinite(histogram.low));
    EXPECT_GT(histogram.width, 0);
    // Else the difference of the quotients, which is the bin, would be none.
    EXPECT_TRUE(std::isfinite(a / histogram.width) && std::isfinite(b / histogram.width)) << a;
    EXPECT_EQ(Sum(histogram.ham) + Sum(histogram.spam), 2U);
  }
  EXPECT_EQ(Sum(HistogramOf({}).ham), 0U);
}

TEST(ScoreAt, IsWhereTheLastProbabilitiesPutIt) {
  std::vector<Outcome> outcomes = RandomOutcomes(1000, 4);
  const auto sigmoid = [](double x) { return 1 / (1 + std::exp(-x)); };
  for (size_t i = 0; i < outcomes.size(); ++i) {  // recalibrated after half of them; some are saturated
    const double odds = i < 500 ? outcomes[i].score : 2 * outcomes[i].score - 1;
    outcomes[i].probability = i % 7 == 0 ? 1 : sigmoid(odds);
  }
  ASSERT_TRUE(ScoreAt(0.97, outcomes));
  EXPECT_NEAR(*ScoreAt(0.97, outcomes), (std::log(0.97 / 0.03) + 1) / 2, 1e-9);
  EXPECT_NEAR(*ScoreAt(0.5, outcomes), 0.5, 1e-9);
}

TEST(ScoreAt, IsNothingWithoutAnIncreasingProbability) {
  std::vector<Outcome> outcomes = RandomOutcomes(100, 5);
  EXPECT_FALSE(ScoreAt(0.5, outcomes));
  EXPECT_FALSE(ScoreAt(0.5, {}));
  for (Outcome& outcome : outcomes) outcome.probability = 0.5;
  EXPECT_FALSE(ScoreAt(0.5, outcomes));
  for (Outcome& outcome : outcomes) outcome.probability = 1 / (1 + std::exp(outcome.score));
  EXPECT_FALSE(ScoreAt(0.5, outcomes));
  EXPECT_FALSE(ScoreAt(1, outcomes));
}

}  // namespace
}  // namespace thresher::eval
