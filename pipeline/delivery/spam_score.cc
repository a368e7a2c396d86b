#include "pipeline/delivery/spam_score.h"

#include <algorithm>
#include <cmath>

namespace thresher::pipeline {
namespace {

constexpr double kMost = 99.9;
constexpr double kDecimal = 0.1;

// Within what doubles can tell from 0 and 1.
double LogOdds(double probability) {
  constexpr double kNearest = 1e-16;
  const double p = std::clamp(probability, kNearest, 1 - kNearest);
  return std::log(p / (1 - p));
}

}  // namespace

double SpamScore(const Judged& judged) {
  const double distance = LogOdds(judged.score.probability) - LogOdds(judged.thresholds.spam);
  const double score = std::floor((kRequiredScore + distance) * 10) / 10;
  // Rounding of the logarithms must not contradict the verdict.
  const bool is_spam = judged.verdict == Verdict::kSpam;
  const double side = is_spam ? std::max(score, kRequiredScore) : std::min(score, kRequiredScore - kDecimal);
  return std::clamp(side, -kMost, kMost);
}

}  // namespace thresher::pipeline
