#include "eval/comparison.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <string>

#include "eval/figures.h"

namespace thresher::eval {
namespace {

// Scores of one message under two filters that share most of their noise; the second separates by `lead`
// more.
struct TwoRuns {
  std::vector<Outcome> first;
  std::vector<Outcome> second;
};

TwoRuns RunTwo(uint64_t seed, size_t messages, double lead) {
  std::mt19937_64 random(seed);
  std::normal_distribution normal;
  TwoRuns runs;
  for (size_t i = 0; i < messages; ++i) {
    const bool spam = random() % 3 == 0;
    const double side = spam ? 1 : -1;
    const double shared = side * 1.5 + normal(random);
    const double scores[] = {shared + 0.3 * normal(random), shared + 0.3 * normal(random) + side * lead};
    runs.first.push_back({.judged_spam = spam, .called_spam = scores[0] > 0, .score = scores[0]});
    runs.second.push_back({.judged_spam = spam, .called_spam = scores[1] > 0, .score = scores[1]});
  }
  return runs;
}

TEST(Compare, GivesTheFiguresOfEither) {
  const TwoRuns runs = RunTwo(1, 500, 0.2);
  const Comparison comparison = Compare(runs.first, runs.second, 50);
  EXPECT_EQ(comparison.messages, 500U);
  ASSERT_TRUE(comparison.roc_area_above && comparison.logistic_average);
  EXPECT_NEAR(comparison.roc_area_above->first, *RocAreaAbove(runs.first), 1e-9);
  EXPECT_NEAR(comparison.roc_area_above->second, *RocAreaAbove(runs.second), 1e-9);
  EXPECT_EQ(comparison.logistic_average->second,
            LogisticAverageMisclassification(Tabulate(runs.second))->value);
  const ContingencyTable table = Tabulate(runs.first);
  EXPECT_EQ(comparison.ham_misclassification->first,
            MisclassificationRate(table.ham_as_spam, table.ham())->value);
  EXPECT_EQ(comparison.spam_misclassification->first,
            MisclassificationRate(table.spam_as_ham, table.spam())->value);
}

// Between equals, 95 % of intervals hold 0, and 5 % of tests cry wolf; a real lead is mostly seen.
TEST(Compare, IntervalsHoldTheTruth) {
  int held = 0;
  int false_alarms = 0;
  int seen = 0;
  for (uint64_t seed = 0; seed < 200; ++seed) {
    const TwoRuns equals = RunTwo(seed, 400, 0);
    const Comparison none = Compare(equals.first, equals.second, 200);
    held += none.roc_area_above->low <= 0 && none.roc_area_above->high >= 0 ? 1 : 0;
    false_alarms += none.all.p_value < 0.05 ? 1 : 0;
    const TwoRuns better = RunTwo(seed, 400, 0.3);
    seen += Compare(better.first, better.second, 200).roc_area_above->high < 0 ? 1 : 0;
  }
  EXPECT_GE(held, 180);
  EXPECT_LE(false_alarms, 14);
  EXPECT_GE(seen, 190);
}

TEST(Compare, SameRunDiffersInNothing) {
  const TwoRuns runs = RunTwo(3, 300, 0);
  const Comparison comparison = Compare(runs.first, runs.first, 50);
  EXPECT_EQ(comparison.roc_area_above->value(), 0);
  EXPECT_EQ(comparison.roc_area_above->low, 0);
  EXPECT_EQ(comparison.roc_area_above->high, 0);
  EXPECT_EQ(comparison.all.p_value, 1);
  EXPECT_EQ(comparison.all.only_first_wrong, 0U);
}

TEST(Compare, McNemarByHand) {
  // 9 messages only the first gets wrong, 1 only the second: p = 2·(C(10,0) + C(10,1))/2^10.
  std::vector<Outcome> first(20);
  std::vector<Outcome> second(20);
  for (size_t i = 0; i < 9; ++i) first[i].called_spam = true;
  second[12].called_spam = true;
  first[15].called_spam = second[15].called_spam = true;  // both wrong: no matter
  const Comparison comparison = Compare(first, second, 10);
  EXPECT_EQ(comparison.ham.only_first_wrong, 9U);
  EXPECT_EQ(comparison.ham.only_second_wrong, 1U);
  EXPECT_NEAR(comparison.ham.p_value, 2 * 11 / 1024.0, 1e-12);
  EXPECT_EQ(comparison.spam.p_value, 1);
  EXPECT_EQ(comparison.all.p_value, comparison.ham.p_value);
}

TEST(Compare, SaysNothingOfAMissingClass) {
  const std::vector<Outcome> only_ham(5);
  const Comparison comparison = Compare(only_ham, only_ham, 10);
  EXPECT_TRUE(comparison.ham_misclassification);
  EXPECT_FALSE(comparison.spam_misclassification);
  EXPECT_FALSE(comparison.logistic_average);
  EXPECT_FALSE(comparison.roc_area_above);
  const Comparison nothing = Compare({}, {}, 10);
  EXPECT_FALSE(nothing.ham_misclassification);
  EXPECT_EQ(nothing.messages, 0U);
}

Results Lines(const std::vector<std::pair<std::string, bool>>& lines) {
  Results results;
  for (const auto& [path, spam] : lines) {
    results.paths.Add(path);
    results.outcomes.push_back({.judged_spam = spam});
  }
  return results;
}

TEST(PairUp, ByPathInTheFirstFilesOrder) {
  const Results first = Lines({{"a", false}, {"b", true}, {"c", false}, {"b", true}, {"e", true}});
  const Results second =
      Lines({{"e", true}, {"d", true}, {"a", false}, {"c", true}, {"d", false}, {"b", true}});
  const Pairing pairing = PairUp(first, second);
  ASSERT_EQ(pairing.pairs.size(), 3U);
  EXPECT_EQ(pairing.pairs[0].first, 0U);
  EXPECT_EQ(pairing.pairs[0].second, 2U);
  EXPECT_EQ(pairing.pairs[1].second, 5U);
  EXPECT_EQ(pairing.pairs[2].second, 0U);
  EXPECT_EQ(pairing.only_in_first, 0U);
  EXPECT_EQ(pairing.only_in_second, 1U);
  EXPECT_EQ(pairing.repeated, 2U);
  EXPECT_EQ(pairing.judged_differently, 1U);
}

}  // namespace
}  // namespace thresher::eval
