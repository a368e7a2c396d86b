#include "eval/probability_figures.h"

#include <algorithm>
#include <cmath>

#include "eval/proportion_interval.h"

namespace thresher::eval {
namespace {

constexpr double kImpossible = 1e-15;

struct Bin {
  uint64_t messages = 0;
  uint64_t spam = 0;
  double probabilities = 0;  // their sum
};

ReliabilityBin Finished(const Bin& bin) {
  if (bin.messages == 0) return {};
  const auto count = static_cast<double>(bin.messages);
  const auto spam = static_cast<double>(bin.spam);
  const auto [low, high] = ClopperPearson(spam, count);
  return {.messages = bin.messages,
          .mean_probability = bin.probabilities / count,
          .spam_share = spam / count,
          .spam_share_low = low,
          .spam_share_high = high};
}

}  // namespace

double Loss(const Outcome& outcome) {
  const double p = outcome.probability;
  return -std::log(std::max(kImpossible, outcome.judged_spam ? p : 1 - p));
}

std::optional<ProbabilityFigures> JudgeProbabilities(std::span<const Outcome> outcomes) {
  ProbabilityFigures figures;
  std::vector<Bin> bins(kReliabilityBins);
  for (const Outcome& outcome : outcomes) {
    const double p = outcome.probability;
    if (p == Outcome::kUnknown) continue;
    ++figures.messages;
    figures.log_loss += Loss(outcome);
    figures.brier += outcome.judged_spam ? (1 - p) * (1 - p) : p * p;
    Bin& bin = bins[std::min(kReliabilityBins - 1, static_cast<size_t>(p * double{kReliabilityBins}))];
    ++bin.messages;
    bin.spam += outcome.judged_spam ? 1 : 0;
    bin.probabilities += p;
  }
  if (figures.messages == 0) return std::nullopt;
  const auto count = static_cast<double>(figures.messages);
  figures.log_loss /= count;
  figures.brier /= count;
  for (const Bin& bin : bins) {
    const ReliabilityBin finished = Finished(bin);
    figures.calibration_error += std::abs(finished.mean_probability - finished.spam_share) *
                                 static_cast<double>(finished.messages) / count;
    figures.reliability.push_back(finished);
  }
  return figures;
}

}  // namespace thresher::eval
