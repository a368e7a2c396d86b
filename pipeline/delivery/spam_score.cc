#include "pipeline/delivery/spam_score.h"

#include <algorithm>
#include <cmath>

#include "learners/loss/log_odds.h"

namespace thresher::pipeline {
namespace {

constexpr double kMost = 99.9;
constexpr double kDecimal = 0.1;

double LogOddsOf(double probability) {
  constexpr double kNearest = 1e-16;  // what doubles can tell from 0 and 1
  return learners::LogOdds(probability, kNearest);
}

}  // namespace

double SpamScore(const Judged& judged) {
  const double distance = LogOddsOf(judged.score.probability) - LogOddsOf(judged.thresholds.spam);
  const double score = std::floor((kRequiredScore + distance) * 10) / 10;
  // Rounding of the logarithms must not contradict the verdict.
  const bool is_spam = judged.verdict == Verdict::kSpam;
  const double side = is_spam ? std::max(score, kRequiredScore) : std::min(score, kRequiredScore - kDecimal);
  return std::clamp(side, -kMost, kMost);
}

}  // namespace thresher::pipeline
