// Stacking, with x the log-odds and a 1, y ∈ {0, 1}:
//
//   p = σ(w·x)        w ← w − η g / √(1 + Σ g²)        g = (p − y) x, for each weight
//
// from w = 1/filters, which is the average.
#include "pipeline/trec/fusion.h"

#include <algorithm>
#include <cmath>

#include "learners/loss/log_odds.h"

namespace thresher::pipeline {
namespace {

constexpr double kSurest = 1e-6;  // a filter that says 0 or 1 must not outvote all others
constexpr double kRate = 0.05;    // η

double Sigmoid(double a) { return 1 / (1 + std::exp(-a)); }

}  // namespace

Fusion::Fusion(size_t filters, FusionMethod method)
    : method_(method),
      calibrations_(filters),
      weights_(filters + 1, 1 / static_cast<double>(filters)),
      squares_(filters + 1, 0) {
  weights_.back() = 0;
}

eval::Outcome Fusion::Fuse(std::span<const eval::Outcome> said) {
  const std::vector<double> log_odds = LogOdds(said);
  double score = weights_.back();
  for (size_t i = 0; i < log_odds.size(); ++i) score += weights_[i] * log_odds[i];
  const eval::Outcome fused{said[0].judged_spam, score >= 0, score, Sigmoid(score)};
  Learn(log_odds, fused.probability, fused.judged_spam);
  for (size_t i = 0; i < said.size(); ++i) {
    if (said[i].probability == eval::Outcome::kUnknown)
      calibrations_[i].Learn(said[i].score,
                             fused.judged_spam ? learners::Label::kSpam : learners::Label::kHam);
  }
  return fused;
}

std::vector<double> Fusion::LogOdds(std::span<const eval::Outcome> said) const {
  std::vector<double> log_odds;
  for (size_t i = 0; i < said.size(); ++i) {
    const bool calibrated = said[i].probability != eval::Outcome::kUnknown;
    log_odds.push_back(learners::LogOdds(
        calibrated ? said[i].probability : calibrations_[i].Probability(said[i].score), kSurest));
  }
  return log_odds;
}

void Fusion::Learn(std::span<const double> log_odds, double probability, bool is_spam) {
  if (method_ == FusionMethod::kAverage) return;
  const double error = probability - (is_spam ? 1 : 0);
  for (size_t i = 0; i < weights_.size(); ++i) {
    const double gradient = error * (i < log_odds.size() ? log_odds[i] : 1);
    squares_[i] += gradient * gradient;
    weights_[i] -= kRate * gradient / std::sqrt(1 + squares_[i]);
  }
}

}  // namespace thresher::pipeline
