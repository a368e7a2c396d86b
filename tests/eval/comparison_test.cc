#include "eval/comparison.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <string>

#include "eval/figures.h"
#include "eval/report.h"

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

constexpr IntervalOptions kByBootstrap = {.method = IntervalMethod::kBootstrap};

TEST(Compare, GivesTheFiguresOfEither) {
  const TwoRuns runs = RunTwo(1, 500, 0.2);
  const Comparison comparison = Compare(runs.first, runs.second);
  EXPECT_EQ(comparison.messages, 500U);
  ASSERT_TRUE(comparison.roc_area_above && comparison.logistic_average);
  EXPECT_NEAR(comparison.roc_area_above->first, *RocAreaAbove(Rank(runs.first)), 1e-9);
  EXPECT_NEAR(comparison.roc_area_above->second, *RocAreaAbove(Rank(runs.second)), 1e-9);
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
  for (const IntervalOptions& options : {IntervalOptions(), kByBootstrap}) {
    int held = 0;
    int false_alarms = 0;
    int seen = 0;
    for (uint64_t seed = 0; seed < 100; ++seed) {
      const TwoRuns equals = RunTwo(seed, 400, 0);
      const Comparison none = Compare(equals.first, equals.second, Ties::kHalf, options);
      held += none.roc_area_above->interval->low <= 0 && none.roc_area_above->interval->high >= 0 ? 1 : 0;
      false_alarms += none.all.p_value < 0.05 ? 1 : 0;
      const TwoRuns better = RunTwo(seed, 400, 0.3);
      seen += Compare(better.first, better.second, Ties::kHalf, options).roc_area_above->interval->high < 0
                  ? 1
                  : 0;
    }
    EXPECT_GE(held, 89);
    EXPECT_LE(false_alarms, 8);
    EXPECT_GE(seen, 95);
  }
}

double Placement(const Outcome& of, const std::vector<Outcome>& all) {
  double wrong = 0;
  double others = 0;
  for (const Outcome& other : all) {
    if (other.judged_spam == of.judged_spam) continue;
    const double lead = of.judged_spam ? of.score - other.score : other.score - of.score;
    wrong += lead < 0 ? 1 : lead == 0 ? 0.5 : 0;
    ++others;
  }
  return 100 * wrong / others;
}

// By pairs of messages, as DeLong, DeLong and Clarke-Pearson write it: variances and covariance apart.
double DeLongVarianceOfDifference(const TwoRuns& runs) {
  double variance = 0;
  for (const bool spam : {false, true}) {
    std::vector<double> a;
    std::vector<double> b;
    for (size_t i = 0; i < runs.first.size(); ++i) {
      if (runs.first[i].judged_spam != spam) continue;
      a.push_back(Placement(runs.first[i], runs.first));
      b.push_back(Placement(runs.second[i], runs.second));
    }
    const auto covariance = [](const std::vector<double>& x, const std::vector<double>& y) {
      const auto n = double(x.size());
      double sum_x = 0;
      double sum_y = 0;
      double products = 0;
      for (size_t i = 0; i < x.size(); ++i) {
        sum_x += x[i];
        sum_y += y[i];
        products += x[i] * y[i];
      }
      return (products - sum_x * sum_y / n) / (n - 1);
    };
    variance += (covariance(a, a) + covariance(b, b) - 2 * covariance(a, b)) / double(a.size());
  }
  return variance;
}

TEST(Compare, ByVarianceIsDeLongsAndTheDeltaMethod) {
  TwoRuns runs = RunTwo(8, 300, 0.1);
  for (size_t i = 0; i < 300; ++i) {  // ties
    for (auto* run : {&runs.first, &runs.second}) (*run)[i].score = std::round((*run)[i].score * 4);
  }
  const Comparison comparison = Compare(runs.first, runs.second);
  const Difference& area = *comparison.roc_area_above;
  ASSERT_TRUE(area.interval);
  const auto [low, high] = *area.interval;
  EXPECT_NEAR(high - area.value(), 1.959963985 * std::sqrt(DeLongVarianceOfDifference(runs)), 1e-7);
  EXPECT_NEAR(area.value() - low, high - area.value(), 1e-9);
  // hm%: the variance of a mean of −1, 0 and 1.
  const auto hams = double(Tabulate(runs.first).ham());
  const auto first_only = double(comparison.ham.only_first_wrong);
  const auto second_only = double(comparison.ham.only_second_wrong);
  const double mean = (second_only - first_only) / hams;
  const double variance = (first_only + second_only - hams * mean * mean) / (hams - 1) / hams;
  EXPECT_NEAR(comparison.ham_misclassification->interval->high - 100 * mean, 196 * std::sqrt(variance),
              0.001);
}

// One ham changed, and nothing says how much another would have.
TEST(Compare, OneMessageOfAClassGivesNoInterval) {
  TwoRuns runs;
  for (int i = 0; i < 50; ++i) {
    const Outcome spam{.judged_spam = true, .called_spam = true, .score = 1.0 + i};
    runs.first.push_back(spam);
    runs.second.push_back(spam);
  }
  runs.first.push_back({.judged_spam = false, .called_spam = false, .score = 0});
  runs.second.push_back({.judged_spam = false, .called_spam = true, .score = 100});
  for (const IntervalOptions& options : {IntervalOptions(), kByBootstrap}) {
    const Comparison comparison = Compare(runs.first, runs.second, Ties::kHalf, options);
    for (const auto figure : {&Comparison::roc_area_above, &Comparison::ham_misclassification}) {
      ASSERT_TRUE(comparison.*figure);
      EXPECT_EQ((comparison.*figure)->value(), 100);
      EXPECT_FALSE((comparison.*figure)->interval);
    }
    // What did not change has its interval.
    ASSERT_TRUE(comparison.spam_misclassification->interval);
    EXPECT_EQ(comparison.spam_misclassification->interval->low, 0);
    const std::string text = FormatText(comparison, "a", "b");
    EXPECT_THAT(text, testing::HasSubstr("(95 %: not defined"));
    EXPECT_THAT(text, testing::Not(testing::HasSubstr(")  *")));
  }
  // Spams that changed differently say nothing of the one ham.
  runs.second.back().score = 24.5;
  for (int i = 0; i < 50; i += 2) runs.second[static_cast<size_t>(i)].score = 1000;
  for (const IntervalOptions& options : {IntervalOptions(), kByBootstrap}) {
    const Comparison comparison = Compare(runs.first, runs.second, Ties::kHalf, options);
    ASSERT_TRUE(comparison.roc_area_above);
    EXPECT_NE(comparison.roc_area_above->value(), 0);
    EXPECT_FALSE(comparison.roc_area_above->interval);
  }
}

// Their mean is rounded, for some numbers of messages, and is another number than each of them.
TEST(Compare, AllHamChangedByTheSameGivesNoInterval) {
  for (int count = 3; count < 60; ++count) {
    TwoRuns runs;
    for (int i = 0; i < count; ++i) {
      const Outcome ham{.judged_spam = false, .called_spam = false, .score = i + 0.1};
      const Outcome spam{.judged_spam = true, .called_spam = true, .score = i + 0.5};
      runs.first.insert(runs.first.end(), {ham, spam});
      runs.second.insert(runs.second.end(), {ham, spam});
      runs.second[runs.second.size() - 2].called_spam = true;
    }
    const Comparison comparison = Compare(runs.first, runs.second, Ties::kHalf, {});
    ASSERT_TRUE(comparison.logistic_average);
    EXPECT_GT(comparison.logistic_average->value(), 0);
    EXPECT_FALSE(comparison.logistic_average->interval) << count;
  }
}

// What changed in the other class cancels out; that is no sign that nothing would change with another
// message.
TEST(Compare, EqualFiguresThatHangOnOneMessageHaveNoIntervalEither) {
  const auto ham = [](double score) { return Outcome{.called_spam = false, .score = score}; };
  const Outcome spam{.judged_spam = true, .called_spam = true, .score = 2};
  const TwoRuns areas = {{spam, ham(1), ham(3), ham(0)}, {spam, ham(3), ham(1), ham(0)}};
  // One of each class, and another of them is wrong.
  const Outcome missed{.judged_spam = true, .called_spam = false, .score = 2};
  const Outcome lost{.judged_spam = false, .called_spam = true, .score = 1};
  const TwoRuns averages = {{spam, lost}, {missed, ham(1)}};
  for (const IntervalOptions& options : {IntervalOptions(), kByBootstrap}) {
    const Comparison moved = Compare(areas.first, areas.second, Ties::kHalf, options);
    EXPECT_EQ(moved.roc_area_above->value(), 0);
    EXPECT_FALSE(moved.roc_area_above->interval);
    ASSERT_TRUE(moved.logistic_average->interval);  // no verdict changed
    EXPECT_EQ(moved.logistic_average->interval->high, 0);
    const Comparison swapped = Compare(averages.first, averages.second, Ties::kHalf, options);
    EXPECT_EQ(swapped.logistic_average->value(), 0);
    EXPECT_FALSE(swapped.logistic_average->interval);
  }
}

// Two ways to the same interval: they part by the noise of a thousand resamples.
TEST(Compare, BootstrapAndVarianceAgreeOnManyMessages) {
  const TwoRuns runs = RunTwo(5, 20000, 0.1);
  const Comparison drawn = Compare(runs.first, runs.second, Ties::kHalf, kByBootstrap);
  const Comparison computed = Compare(runs.first, runs.second);
  for (const auto figure : {&Comparison::roc_area_above, &Comparison::ham_misclassification,
                            &Comparison::spam_misclassification, &Comparison::logistic_average}) {
    const Difference& a = *(drawn.*figure);
    const Difference& b = *(computed.*figure);
    EXPECT_EQ(a.value(), b.value());
    ASSERT_TRUE(a.interval && b.interval);
    const double width = b.interval->high - b.interval->low;
    EXPECT_NEAR(a.interval->low, b.interval->low, 0.1 * width);
    EXPECT_NEAR(a.interval->high, b.interval->high, 0.1 * width);
  }
}

TEST(Compare, SameRunDiffersInNothing) {
  const TwoRuns runs = RunTwo(3, 300, 0);
  const Comparison comparison = Compare(runs.first, runs.first);
  EXPECT_EQ(comparison.roc_area_above->value(), 0);
  ASSERT_TRUE(comparison.roc_area_above->interval);
  EXPECT_EQ(comparison.roc_area_above->interval->low, 0);
  EXPECT_EQ(comparison.roc_area_above->interval->high, 0);
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
  const Comparison comparison = Compare(first, second);
  EXPECT_EQ(comparison.ham.only_first_wrong, 9U);
  EXPECT_EQ(comparison.ham.only_second_wrong, 1U);
  EXPECT_NEAR(comparison.ham.p_value, 2 * 11 / 1024.0, 1e-12);
  EXPECT_EQ(comparison.spam.p_value, 1);
  EXPECT_EQ(comparison.all.p_value, comparison.ham.p_value);
}

TEST(Compare, SaysNothingOfAMissingClass) {
  const std::vector<Outcome> only_ham(5);
  const Comparison comparison = Compare(only_ham, only_ham);
  EXPECT_TRUE(comparison.ham_misclassification);
  EXPECT_FALSE(comparison.spam_misclassification);
  EXPECT_FALSE(comparison.logistic_average);
  EXPECT_FALSE(comparison.roc_area_above);
  const Comparison nothing = Compare({}, {});
  EXPECT_FALSE(nothing.ham_misclassification);
  EXPECT_EQ(nothing.messages, 0U);
}

}  // namespace
}  // namespace thresher::eval
