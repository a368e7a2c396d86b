#include "eval/figures.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

namespace thresher::eval {
namespace {

// P(at most `most` of n) for proportion p, term by term.
double BinomialAtMost(int most, int n, double p) {
  double sum = 0;
  for (int k = 0; k <= most; ++k) {
    const double choose = std::lgamma(n + 1.0) - std::lgamma(k + 1.0) - std::lgamma(n - k + 1.0);
    sum += std::exp(choose + k * std::log(p) + (n - k) * std::log1p(-p));
  }
  return sum;
}

TEST(Tabulate, CountsEveryPairOfJudgementAndVerdict) {
  const Outcome ham_as_spam = {.judged_spam = false, .called_spam = true};
  const Outcome spam_as_ham = {.judged_spam = true, .called_spam = false};
  const Outcome spam_as_spam = {.judged_spam = true, .called_spam = true};
  const std::vector<Outcome> outcomes = {{},          ham_as_spam,  ham_as_spam,  spam_as_ham,  spam_as_ham,
                                         spam_as_ham, spam_as_spam, spam_as_spam, spam_as_spam, spam_as_spam};
  const ContingencyTable table = Tabulate(outcomes);
  EXPECT_EQ(table.ham_as_ham, 1U);
  EXPECT_EQ(table.ham_as_spam, 2U);
  EXPECT_EQ(table.spam_as_ham, 3U);
  EXPECT_EQ(table.spam_as_spam, 4U);
  EXPECT_EQ(table.ham(), 3U);
  EXPECT_EQ(table.spam(), 7U);
}

TEST(TabulateAt, CallsSpamWhatReachesTheThreshold) {
  std::mt19937_64 random(5);
  std::vector<Outcome> outcomes(200);
  for (Outcome& outcome : outcomes) {
    outcome.judged_spam = random() % 3 == 0;
    outcome.score = static_cast<double>(random() % 20);
  }
  for (const double threshold : {-1.0, 0.0, 7.0, 7.5, 19.0, 20.0}) {
    std::vector<Outcome> called = outcomes;
    for (Outcome& outcome : called) outcome.called_spam = outcome.score >= threshold;
    const ContingencyTable expected = Tabulate(called);
    const ContingencyTable table = TabulateAt(threshold, outcomes);
    EXPECT_EQ(table.ham_as_spam, expected.ham_as_spam) << threshold;
    EXPECT_EQ(table.spam_as_spam, expected.spam_as_spam) << threshold;
    EXPECT_EQ(table.ham(), expected.ham());
    EXPECT_EQ(table.spam(), expected.spam());
  }
}

TEST(MisclassificationRate, GivesTheTextbookIntervals) {
  struct Known {
    uint64_t wrong, total;
    double low, high;
  };
  // The first two follow from the closed forms for 0 and for all; the rest are standard worked examples.
  const double none_of_ten = 100 * (1 - std::pow(0.025, 0.1));
  for (const Known& known :
       {Known{0, 10, 0, none_of_ten}, Known{10, 10, 100 - none_of_ten, 100}, Known{1, 10, 0.2529, 44.5016},
        Known{5, 10, 18.7086, 81.2914}, Known{10, 100, 4.9005, 17.6223}, Known{1, 1, 2.5, 100}}) {
    const auto rate = MisclassificationRate(known.wrong, known.total);
    ASSERT_TRUE(rate);
    EXPECT_NEAR(rate->value, 100.0 * double(known.wrong) / double(known.total), 1e-12);
    EXPECT_NEAR(rate->low, known.low, 5e-5) << known.wrong << " of " << known.total;
    EXPECT_NEAR(rate->high, known.high, 5e-5) << known.wrong << " of " << known.total;
  }
}

TEST(MisclassificationRate, LeavesTwoAndAHalfPercentInEachTail) {
  for (const int n : {1, 2, 7, 30, 400}) {
    for (int k = 0; k <= n; k += n > 30 ? 37 : 1) {
      const auto rate = MisclassificationRate(static_cast<uint64_t>(k), static_cast<uint64_t>(n));
      ASSERT_TRUE(rate);
      if (k > 0) {
        EXPECT_NEAR(1 - BinomialAtMost(k - 1, n, rate->low / 100), 0.025, 1e-9);
      }
      if (k < n) {
        EXPECT_NEAR(BinomialAtMost(k, n, rate->high / 100), 0.025, 1e-9);
      }
    }
  }
}

TEST(MisclassificationRate, IsFiniteForManyMessagesAndNothingForNone) {
  EXPECT_FALSE(MisclassificationRate(0, 0));
  const auto rate = MisclassificationRate(123, 1'000'000'000);
  ASSERT_TRUE(rate);
  EXPECT_LT(rate->low, rate->value);
  EXPECT_GT(rate->high, rate->value);
  EXPECT_NEAR(rate->high / rate->value, 1.193, 0.002);  // Poisson limits of 123: 102.2 to 146.8
}

TEST(LogisticAverageMisclassification, IsTheGeometricMeanOfTheOdds) {
  const ContingencyTable table = {
      .ham_as_ham = 990, .ham_as_spam = 9, .spam_as_ham = 40, .spam_as_spam = 459};
  const double ham_odds = 9.5 / 990.5;
  const double spam_odds = 40.5 / 459.5;
  const double odds = std::sqrt(ham_odds * spam_odds);
  const auto lam = LogisticAverageMisclassification(table);
  ASSERT_TRUE(lam);
  EXPECT_NEAR(lam->value, 100 * odds / (1 + odds), 1e-12);
}

TEST(ClassificationFigures, ByHand) {
  const ContingencyTable table = {.ham_as_ham = 80, .ham_as_spam = 5, .spam_as_ham = 3, .spam_as_spam = 12};
  EXPECT_NEAR(*Precision(table), 12.0 / 17, 1e-12);
  EXPECT_NEAR(*Recall(table), 12.0 / 15, 1e-12);
  EXPECT_NEAR(*F1(table), 2 / (17.0 / 12 + 15.0 / 12), 1e-12);
}

// Matthews' coefficient is Pearson's correlation of the two columns of 0 and 1.
TEST(MatthewsCorrelation, IsPearsonsOfJudgementAndVerdict) {
  std::mt19937_64 random(2);
  for (int round = 0; round < 200; ++round) {
    std::vector<Outcome> outcomes(5 + random() % 40);
    double judged = 0;
    double called = 0;
    double both = 0;
    for (Outcome& outcome : outcomes) {
      outcome.judged_spam = random() % 3 == 0;
      outcome.called_spam = random() % 4 == 0 ? !outcome.judged_spam : outcome.judged_spam;
      judged += outcome.judged_spam ? 1 : 0;
      called += outcome.called_spam ? 1 : 0;
      both += outcome.judged_spam && outcome.called_spam ? 1 : 0;
    }
    const auto n = double(outcomes.size());
    const double variances = (judged - judged * judged / n) * (called - called * called / n);
    const auto correlation = MatthewsCorrelation(Tabulate(outcomes));
    ASSERT_EQ(correlation.has_value(), variances > 1e-9);
    if (correlation) {
      EXPECT_NEAR(*correlation, (both - judged * called / n) / std::sqrt(variances), 1e-12);
    }
  }
  for (uint64_t n = 1; n < 100; ++n)
    EXPECT_EQ(MatthewsCorrelation({.ham_as_ham = n, .spam_as_spam = 2 * n + 1}), 1) << n;
}

TEST(ClassificationFigures, AreNothingWithoutADenominator) {
  EXPECT_FALSE(Precision({.ham_as_ham = 5, .spam_as_ham = 2}));
  EXPECT_FALSE(Recall({.ham_as_ham = 5, .ham_as_spam = 2}));
  EXPECT_FALSE(F1({.ham_as_ham = 5}));
  EXPECT_FALSE(MatthewsCorrelation({.ham_as_ham = 5, .spam_as_ham = 2}));
  const uint64_t many = 4'000'000'000;
  EXPECT_NEAR(*MatthewsCorrelation({many, many, many, many}), 0, 1e-12);
}

// Its promise: over many samples it covers the true value in about 95 %.
TEST(LogisticAverageMisclassification, IntervalCoversTheTruth) {
  std::mt19937_64 random(4);
  std::binomial_distribution<uint64_t> ham_wrong(1000, 0.01);
  std::binomial_distribution<uint64_t> spam_wrong(400, 0.08);
  const double odds = std::sqrt(0.01 / 0.99 * 0.08 / 0.92);
  const double truth = 100 * odds / (1 + odds);
  int covered = 0;
  for (int sample = 0; sample < 2000; ++sample) {
    const uint64_t hams = ham_wrong(random);
    const uint64_t spams = spam_wrong(random);
    const auto lam = LogisticAverageMisclassification({1000 - hams, hams, spams, 400 - spams});
    covered += lam->low <= truth && truth <= lam->high ? 1 : 0;
  }
  EXPECT_GE(covered, 1860);
  EXPECT_LE(covered, 1950);
}

TEST(LogisticAverageMisclassification, StaysDefinedWithoutErrorsAndNeedsBothClasses) {
  const auto perfect = LogisticAverageMisclassification({.ham_as_ham = 100, .spam_as_spam = 100});
  ASSERT_TRUE(perfect);
  EXPECT_NEAR(perfect->value, 100 * 0.5 / 101, 1e-12);
  EXPECT_FALSE(LogisticAverageMisclassification({.ham_as_ham = 3}));
  EXPECT_FALSE(LogisticAverageMisclassification({.spam_as_ham = 3}));
  EXPECT_FALSE(LogisticAverageMisclassification({}));
}

}  // namespace
}  // namespace thresher::eval
