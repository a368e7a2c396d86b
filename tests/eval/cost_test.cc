#include "eval/cost.h"

#include <gtest/gtest.h>

#include <limits>
#include <random>
#include <vector>

namespace thresher::eval {
namespace {

TEST(ExpectedCost, ByHand) {
  const ContingencyTable table = {.ham_as_ham = 80, .ham_as_spam = 5, .spam_as_ham = 3, .spam_as_spam = 12};
  EXPECT_NEAR(*ExpectedCost(table, 10), 0.53, 1e-12);
  EXPECT_FALSE(ExpectedCost({}, 10));
}

ContingencyTable TabulateAt(std::vector<Outcome> outcomes, double threshold) {
  for (Outcome& outcome : outcomes) outcome.called_spam = outcome.score >= threshold;
  return Tabulate(outcomes);
}

TEST(CheapestThreshold, EqualsTryingEveryOne) {
  std::mt19937_64 random(1);
  for (int round = 0; round < 400; ++round) {
    std::vector<Outcome> outcomes(1 + random() % 80);
    const uint64_t values = 1 + random() % 30;
    for (Outcome& outcome : outcomes) {
      outcome.judged_spam = random() % 2 == 0;
      outcome.score = double(random() % values + (outcome.judged_spam ? values / 2 : 0));
    }
    for (const double ham_cost : {0.1, 1.0, 9.0, 1000.0}) {
      double least = *ExpectedCost(TabulateAt(outcomes, std::numeric_limits<double>::infinity()), ham_cost);
      for (const Outcome& outcome : outcomes)
        least = std::min(least, *ExpectedCost(TabulateAt(outcomes, outcome.score), ham_cost));
      const Threshold best = CheapestThreshold(Rank(outcomes), ham_cost);
      EXPECT_EQ(ExpectedCost(best.table, ham_cost), least);
      const ContingencyTable there =
          TabulateAt(outcomes, best.score.value_or(std::numeric_limits<double>::infinity()));
      EXPECT_EQ(there.ham_as_spam, best.table.ham_as_spam);
      EXPECT_EQ(there.spam_as_ham, best.table.spam_as_ham);
    }
  }
}

TEST(CheapestThreshold, OfEqualsTheOneThatLosesLessHam) {
  const std::vector<Outcome> outcomes = {{.judged_spam = true, .score = 1},
                                         {.judged_spam = false, .score = 1}};
  EXPECT_FALSE(CheapestThreshold(Rank(outcomes), 1).score);
  EXPECT_FALSE(CheapestThreshold(Rank({}), 1).score);
  EXPECT_EQ(CheapestThreshold(Rank(outcomes), 0.5).score, 1);
}

}  // namespace
}  // namespace thresher::eval
