#include "pipeline/delivery/spam_score.h"

#include <gtest/gtest.h>

namespace thresher::pipeline {
namespace {

Judged Of(double probability, const Thresholds& thresholds = {}) {
  Judged judged;
  judged.verdict = thresholds.Decide(probability);
  judged.score.probability = probability;
  judged.thresholds = thresholds;
  return judged;
}

TEST(SpamScore, IsFiveAtTheThreshold) {
  EXPECT_EQ(SpamScore(Of(0.97)), 5);
  EXPECT_DOUBLE_EQ(SpamScore(Of(0.5)), 1.5);
  EXPECT_NEAR(SpamScore(Of(0.999935)), 11.1, 1e-9);
  EXPECT_EQ(SpamScore(Of(0)), -35.4);
  EXPECT_LE(SpamScore(Of(1)), 99.9);
}

TEST(SpamScore, SaysWhatTheVerdictSays) {
  for (const Thresholds& thresholds :
       {Thresholds{}, Thresholds{.spam = 0.5, .ham = 0.5}, Thresholds{.spam = 1, .ham = 0.1},
        Thresholds{.spam = 0, .ham = 0}, Thresholds{.spam = 1e-300, .ham = 0}}) {
    double last = -1000;
    for (int i = 0; i <= 10000; ++i) {
      const Judged judged = Of(i / 10000.0, thresholds);
      const double score = SpamScore(judged);
      EXPECT_EQ(score >= kRequiredScore, judged.verdict == Verdict::kSpam) << i;
      EXPECT_GE(score, last) << i;
      last = score;
    }
  }
}

}  // namespace
}  // namespace thresher::pipeline
