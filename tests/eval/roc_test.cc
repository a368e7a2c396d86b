#include "eval/roc.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <numeric>
#include <random>

namespace thresher::eval {
namespace {

constexpr IntervalOptions kByVariance = {.method = IntervalMethod::kDeLong};
constexpr IntervalOptions kBootstrap = {.method = IntervalMethod::kBootstrap};

std::vector<double> ScoresOf(const std::vector<Outcome>& outcomes, bool spam) {
  std::vector<double> scores;
  for (const Outcome& outcome : outcomes) {
    if (outcome.judged_spam == spam) scores.push_back(outcome.score);
  }
  return scores;
}

double Inverted(double spam, double ham) { return spam < ham ? 1 : spam == ham ? 0.5 : 0; }

// First twin: every pair.
double AreaByPairs(const std::vector<double>& hams, const std::vector<double>& spams) {
  double sum = 0;
  for (const double spam : spams) {
    for (const double ham : hams) sum += Inverted(spam, ham);
  }
  return 100 * sum / double(hams.size()) / double(spams.size());
}

// Second: Mann–Whitney's statistic from the mid-ranks of the hams.
double AreaByRanks(std::vector<Outcome> outcomes) {
  std::sort(outcomes.begin(), outcomes.end(), [](auto& a, auto& b) { return a.score < b.score; });
  double ham_rank_sum = 0;
  double hams = 0;
  for (size_t first = 0; first < outcomes.size();) {
    size_t last = first;
    while (last < outcomes.size() && outcomes[last].score == outcomes[first].score) ++last;
    const double mid_rank = double(first + 1 + last) / 2;
    for (; first < last; ++first) {
      if (outcomes[first].judged_spam) continue;
      ham_rank_sum += mid_rank;
      ++hams;
    }
  }
  const double spams = double(outcomes.size()) - hams;
  return 100 * (ham_rank_sum - hams * (hams + 1) / 2) / hams / spams;
}

// Third: the area under (sm, hm) by trapezoids.
double AreaByTrapezoids(const std::vector<Outcome>& outcomes) {
  std::map<double, std::pair<double, double>> groups;  // score → hams, spams
  for (const Outcome& outcome : outcomes) {
    auto& [hams, spams] = groups[outcome.score];
    ++(outcome.judged_spam ? spams : hams);
  }
  const double hams = double(ScoresOf(outcomes, false).size());
  const double spams = double(ScoresOf(outcomes, true).size());
  double hm = 1;
  double area = 0;
  for (const auto& [score, group] : groups) {
    const double lower_hm = hm - group.first / hams;
    area += group.second / spams * (hm + lower_hm) / 2;
    hm = lower_hm;
  }
  return 100 * area;
}

// DeLong's variance from placements computed by pairs.
double VarianceByPairs(const std::vector<double>& hams, const std::vector<double>& spams) {
  const auto variance_of_mean = [](const std::vector<double>& values) {
    double mean = 0;
    for (const double value : values) mean += value / double(values.size());
    double squares = 0;
    for (const double value : values) squares += (value - mean) * (value - mean);
    return squares / double(values.size() - 1) / double(values.size());
  };
  std::vector<double> of_spams;
  std::vector<double> of_hams;
  of_spams.reserve(spams.size());
  of_hams.reserve(hams.size());
  for (const double spam : spams) of_spams.push_back(AreaByPairs(hams, {spam}) / 100);
  for (const double ham : hams) of_hams.push_back(AreaByPairs({ham}, spams) / 100);
  return variance_of_mean(of_spams) + variance_of_mean(of_hams);
}

double SpamMisclassificationByThresholds(const std::vector<double>& hams, const std::vector<double>& spams,
                                         double ham_percent) {
  std::vector<double> thresholds = hams;
  thresholds.insert(thresholds.end(), spams.begin(), spams.end());
  thresholds.push_back(std::numeric_limits<double>::infinity());
  double best = 100;
  for (const double threshold : thresholds) {
    const auto below = [threshold](double score) { return score < threshold; };
    const auto spared = std::count_if(hams.begin(), hams.end(), below);
    const auto missed = std::count_if(spams.begin(), spams.end(), below);
    if (100.0 * double(hams.size() - size_t(spared)) > ham_percent * double(hams.size())) continue;
    best = std::min(best, 100.0 * double(missed) / double(spams.size()));
  }
  return best;
}

// Overlapping classes; the fewer the levels, the more the ties.
std::vector<Outcome> RandomOutcomes(uint64_t seed) {
  std::mt19937_64 random(seed);
  const size_t count = 2 + random() % 120;
  const uint64_t levels = 1 + random() % (seed % 2 == 0 ? 6 : 100000);
  const uint64_t shift = random() % (levels + 1);
  std::vector<Outcome> outcomes(count);
  for (Outcome& outcome : outcomes) {
    outcome.judged_spam = random() % 3 == 0;
    outcome.score = double(random() % levels + (outcome.judged_spam ? shift : 0)) / 7 - 3;
  }
  return outcomes;
}

TEST(RocAreaAbove, EqualsPairsRanksAndTrapezoids) {
  for (uint64_t seed = 0; seed < 400; ++seed) {
    const std::vector<Outcome> outcomes = RandomOutcomes(seed);
    const std::vector<double> hams = ScoresOf(outcomes, false);
    const std::vector<double> spams = ScoresOf(outcomes, true);
    const auto area = RocAreaAbove(Rank(outcomes));
    ASSERT_EQ(area.has_value(), !hams.empty() && !spams.empty());
    if (!area) continue;
    EXPECT_NEAR(*area, AreaByPairs(hams, spams), 1e-10) << "seed " << seed;
    EXPECT_NEAR(*area, AreaByRanks(outcomes), 1e-10) << "seed " << seed;
    EXPECT_NEAR(*area, AreaByTrapezoids(outcomes), 1e-10) << "seed " << seed;
  }
}

TEST(RocAreaAbove, DependsNeitherOnOrderNorOnScale) {
  std::vector<Outcome> outcomes = RandomOutcomes(5);
  const auto area = RocAreaAbove(Rank(outcomes));
  std::shuffle(outcomes.begin(), outcomes.end(), std::mt19937_64(1));
  for (Outcome& outcome : outcomes) outcome.score = std::exp(outcome.score / 1e4);
  EXPECT_EQ(RocAreaAbove(Rank(outcomes)), area);
}

TEST(RocAreaAbove, IsOfNoneHalfAndAllInTheClearCases) {
  const Outcome ham = {.judged_spam = false, .score = 1};
  const Outcome spam = {.judged_spam = true, .score = 2};
  const Outcome worse_spam = {.judged_spam = true, .score = 0};
  const Outcome tied_spam = {.judged_spam = true, .score = 1};
  using Some = std::vector<Outcome>;
  EXPECT_EQ(RocAreaAbove(Rank(Some{ham, spam})), 0);
  EXPECT_EQ(RocAreaAbove(Rank(Some{ham, tied_spam})), 50);
  EXPECT_EQ(RocAreaAbove(Rank(Some{ham, worse_spam})), 100);
  EXPECT_EQ(RocAreaAbove(Rank(Some{})), std::nullopt);
  EXPECT_EQ(RocAreaAbove(Rank(Some{ham})), std::nullopt);
  EXPECT_EQ(RocAreaAbove(Rank(Some{spam, spam})), std::nullopt);
}

TEST(RocAreaAboveWithInterval, IsDeLongsOnTheLogitScale) {
  int compared = 0;
  for (uint64_t seed = 0; seed < 400; ++seed) {
    const std::vector<Outcome> outcomes = RandomOutcomes(seed);
    const std::vector<double> hams = ScoresOf(outcomes, false);
    const std::vector<double> spams = ScoresOf(outcomes, true);
    const auto interval = RocAreaAbove(Rank(outcomes), kByVariance);
    ASSERT_EQ(interval.has_value(), !hams.empty() && !spams.empty());
    if (hams.size() < 2 || spams.size() < 2) continue;
    const double variance = VarianceByPairs(hams, spams);
    if (variance < 1e-20) continue;
    const double area = AreaByPairs(hams, spams) / 100;
    // Transformed back by hand: the odds are multiplied and divided by exp(1.96·se).
    const double factor = std::exp(1.959963984540054 * std::sqrt(variance) / (area * (1 - area)));
    const double odds = area / (1 - area);
    EXPECT_NEAR(interval->value, 100 * area, 1e-9);
    EXPECT_NEAR(interval->low, 100 * (odds / factor) / (1 + odds / factor), 1e-8) << "seed " << seed;
    EXPECT_NEAR(interval->high, 100 * (1 - 1 / (1 + odds * factor)), 1e-8) << "seed " << seed;
    ++compared;
  }
  EXPECT_GT(compared, 200);
}

// The promise of the interval: over many samples from known distributions it covers the true area in about 95
// %.
TEST(RocAreaAboveWithInterval, CoversTheTrueArea) {
  std::mt19937_64 random(3);
  std::normal_distribution<double> ham(0, 1);
  std::normal_distribution<double> spam(2, 1);
  const double truth = 100 * 0.5 * std::erfc(2 / std::sqrt(2.0) / std::sqrt(2.0));  // P(N(2,√2²) < 0)
  int covered[2] = {0, 0};  // by variance, by bootstrap
  for (int sample = 0; sample < 1000; ++sample) {
    std::vector<Outcome> outcomes;
    for (int i = 0; i < 80; ++i) {
      outcomes.push_back({.judged_spam = false, .score = ham(random)});
      outcomes.push_back({.judged_spam = true, .score = spam(random)});
    }
    const Ranking ranking = Rank(outcomes);
    for (const bool bootstrap : {false, true}) {
      const auto interval = RocAreaAbove(ranking, bootstrap ? kBootstrap : kByVariance);
      if (interval->low <= truth && truth <= interval->high) ++covered[bootstrap ? 1 : 0];
    }
  }
  for (const int count : covered) {
    EXPECT_GE(count, 925);
    EXPECT_LE(count, 975);
  }
}

TEST(RocAreaAboveWithInterval, IsNeverAPointWhereTheVarianceSaysNothing) {
  std::vector<Outcome> separated;
  std::vector<Outcome> tied;
  for (int i = 0; i < 50; ++i) {
    separated.push_back({.judged_spam = i % 5 == 0, .score = i % 5 == 0 ? 1.0 : -1.0});
    tied.push_back({.judged_spam = i % 5 == 0, .score = 0});
  }
  const auto perfect = RocAreaAbove(Rank(separated), kByVariance);
  ASSERT_TRUE(perfect);
  EXPECT_EQ(perfect->value, 0);
  EXPECT_EQ(perfect->low, 0);
  EXPECT_NEAR(perfect->high, 100 * (1 - std::pow(0.025, 0.1)), 1e-9);  // ten pairs, none inverted
  const auto useless = RocAreaAbove(Rank(tied), kByVariance);
  ASSERT_TRUE(useless);
  EXPECT_EQ(useless->value, 50);
  EXPECT_LT(useless->low, 20);
  EXPECT_GT(useless->high, 80);

  std::vector<Outcome> one_spam = {{.judged_spam = true, .score = 2.5}};
  for (int i = 0; i < 4; ++i) one_spam.push_back({.judged_spam = false, .score = double(i)});
  const auto lonely = RocAreaAbove(Rank(one_spam), kByVariance);
  ASSERT_TRUE(lonely);
  EXPECT_EQ(lonely->value, 25);
  EXPECT_LT(lonely->low, 1);
  EXPECT_GT(lonely->high, 90);
}

// The program of the TREC track walks the file sorted by score, equal scores in the order of the file.
double AreaWithTrecTies(const std::vector<Outcome>& outcomes) {
  double inverted = 0;
  double pairs = 0;
  for (size_t spam = 0; spam < outcomes.size(); ++spam) {
    for (size_t ham = 0; ham < outcomes.size(); ++ham) {
      if (!outcomes[spam].judged_spam || outcomes[ham].judged_spam) continue;
      ++pairs;
      const bool tied = outcomes[spam].score == outcomes[ham].score;
      if (outcomes[spam].score < outcomes[ham].score || (tied && spam < ham)) ++inverted;
    }
  }
  return 100 * inverted / pairs;
}

TEST(TrecTies, CountAsInvertedWhereTheSpamCameFirst) {
  for (uint64_t seed = 0; seed < 400; ++seed) {
    std::vector<Outcome> outcomes = RandomOutcomes(seed);
    const auto area = RocAreaAbove(Rank(outcomes, Ties::kTrec));
    if (!area) continue;
    EXPECT_NEAR(*area, AreaWithTrecTies(outcomes), 1e-10) << "seed " << seed;
    // Second: the same order with scores that are not tied.
    std::vector<size_t> order(outcomes.size());
    std::iota(order.begin(), order.end(), 0U);
    std::stable_sort(order.begin(), order.end(),
                     [&](size_t a, size_t b) { return outcomes[a].score < outcomes[b].score; });
    for (size_t rank = 0; rank < order.size(); ++rank) outcomes[order[rank]].score = double(rank);
    EXPECT_NEAR(*area, AreaByRanks(outcomes), 1e-10) << "seed " << seed;
  }
}

TEST(TrecTies, ByHand) {
  const Outcome ham = {.judged_spam = false};
  const Outcome spam = {.judged_spam = true};
  using Some = std::vector<Outcome>;
  EXPECT_EQ(RocAreaAbove(Rank(Some{spam, ham}, Ties::kTrec)), 100);
  EXPECT_EQ(RocAreaAbove(Rank(Some{ham, spam}, Ties::kTrec)), 0);
  EXPECT_EQ(RocAreaAbove(Rank(Some{ham, spam, ham}, Ties::kTrec)), 50);
}

// The slow twin: whole messages drawn one by one, the area of each resample by ranks.
Percentage BootstrapByMessages(const std::vector<Outcome>& outcomes, size_t resamples) {
  std::mt19937_64 random(99);
  std::vector<Outcome> classes[2];
  for (const Outcome& outcome : outcomes) classes[outcome.judged_spam ? 1 : 0].push_back(outcome);
  std::vector<double> areas;
  for (size_t resample = 0; resample < resamples; ++resample) {
    std::vector<Outcome> drawn;
    for (const auto& members : classes) {
      for (size_t i = 0; i < members.size(); ++i) drawn.push_back(members[random() % members.size()]);
    }
    areas.push_back(AreaByRanks(drawn));
  }
  std::sort(areas.begin(), areas.end());
  return {0, areas[resamples / 40], areas[resamples - 1 - resamples / 40]};
}

TEST(BootstrapInterval, IsThatOfDrawingMessagesOneByOne) {
  for (const uint64_t seed : {3U, 12U, 31U}) {
    std::vector<Outcome> outcomes;
    for (uint64_t part = 0; part < 5; ++part) {
      const std::vector<Outcome> more = RandomOutcomes(seed + part);
      outcomes.insert(outcomes.end(), more.begin(), more.end());
    }
    const IntervalOptions options = {.method = IntervalMethod::kBootstrap, .seed = seed};
    const auto interval = RocAreaAbove(Rank(outcomes), options);
    const Percentage twin = BootstrapByMessages(outcomes, 4000);
    const double width = twin.high - twin.low;
    EXPECT_NEAR(interval->low, twin.low, 0.08 * width) << seed;
    EXPECT_NEAR(interval->high, twin.high, 0.08 * width) << seed;
    EXPECT_EQ(interval->low, RocAreaAbove(Rank(outcomes), options)->low) << "seeded";
    EXPECT_NE(interval->low, RocAreaAbove(Rank(outcomes), {options.method, seed + 1})->low);
  }
}

TEST(IntervalOptions, AutoIsBootstrapForAMillion) {
  constexpr IntervalOptions kBySize = {.method = IntervalMethod::kAuto};
  EXPECT_TRUE(kBySize.Bootstraps(1'000'000));
  EXPECT_FALSE(kBySize.Bootstraps(1'000'001));
  EXPECT_TRUE(kBootstrap.Bootstraps(5'000'000));
  EXPECT_FALSE(kByVariance.Bootstraps(5));
}

TEST(SpamMisclassificationAt, EqualsTryingEveryThreshold) {
  for (uint64_t seed = 0; seed < 300; ++seed) {
    const std::vector<Outcome> outcomes = RandomOutcomes(seed);
    const std::vector<double> hams = ScoresOf(outcomes, false);
    const std::vector<double> spams = ScoresOf(outcomes, true);
    for (const double ham_percent : {0.0, 0.1, 2.5, 10.0, 50.0, 100.0}) {
      const auto sm = SpamMisclassificationAt(Rank(outcomes), ham_percent);
      ASSERT_EQ(sm.has_value(), !hams.empty() && !spams.empty());
      if (!sm) continue;
      EXPECT_NEAR(*sm, SpamMisclassificationByThresholds(hams, spams, ham_percent), 1e-12);
    }
  }
}

TEST(SpamMisclassificationAt, LosesExactlyOneHamInAThousand) {
  std::vector<Outcome> outcomes;
  outcomes.reserve(1004);
  for (int i = 0; i < 1000; ++i) outcomes.push_back({.judged_spam = false, .score = double(i)});
  for (const double score : {998.5, 999.5, 997.5, 2000.0})
    outcomes.push_back({.judged_spam = true, .score = score});
  EXPECT_EQ(SpamMisclassificationAt(Rank(outcomes), 0.1), 25);  // threshold 998.5 costs ham 999
  EXPECT_EQ(SpamMisclassificationAt(Rank(outcomes), 0.0), 50);
}

}  // namespace
}  // namespace thresher::eval
