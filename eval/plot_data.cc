#include "eval/plot_data.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace thresher::eval {
namespace {

constexpr double kLeastStep = 0.005;  // decades
constexpr size_t kFittedMessages = 200;
constexpr double kSaturated = 1e-6;  // probabilities nearer to 0 or 1 have too few digits for log-odds

double LogOdds(double probability) { return std::log(probability / (1 - probability)); }

double Decades(uint64_t from, uint64_t to) {
  const auto least = [](uint64_t count) { return std::max(0.5, static_cast<double>(count)); };
  return std::abs(std::log10(least(to) / least(from)));
}

// The range without the lowest and the highest 0.1 % of the scores. REQUIRES: there is at least one.
std::pair<double, double> CentralRange(std::span<const Outcome> outcomes) {
  std::vector<double> scores;
  scores.reserve(outcomes.size());
  for (const Outcome& outcome : outcomes) scores.push_back(outcome.score);
  const auto outside = static_cast<std::ptrdiff_t>(scores.size() / 1000);
  const auto low = scores.begin() + outside;
  std::nth_element(scores.begin(), low, scores.end());
  const double lowest = *low;
  const auto high = scores.end() - 1 - outside;
  std::nth_element(scores.begin(), high, scores.end());
  return {lowest, *high};
}

}  // namespace

std::vector<RocPoint> RocCurve(const Ranking& ranking) {
  RocPoint here{0, ranking.spam};
  std::vector<RocPoint> curve = {here};
  for (size_t level = ranking.levels.size(); level-- > 0;) {
    here.ham_lost += ranking.levels[level].ham;
    here.spam_seen -= ranking.levels[level].spam;
    const double step =
        Decades(curve.back().ham_lost, here.ham_lost) + Decades(curve.back().spam_seen, here.spam_seen);
    if (step >= kLeastStep || level == 0) curve.push_back(here);
  }
  return curve;
}

ScoreHistogram HistogramOf(std::span<const Outcome> outcomes) {
  ScoreHistogram histogram;
  histogram.ham.resize(kHistogramBins);
  histogram.spam.resize(kHistogramBins);
  if (outcomes.empty()) return histogram;
  const auto [low, high] = CentralRange(outcomes);
  constexpr auto kBins = static_cast<double>(kHistogramBins);
  histogram.low = low;
  // Halves first: the difference of two doubles may overflow.
  const double width = 2 * (high / 2 / kBins - low / 2 / kBins);
  // Of equal scores it is 0, and of neighbouring doubles 0 or too small to divide by.
  histogram.width = std::isnormal(width) ? width : 1;
  for (const Outcome& outcome : outcomes) {
    const double bin = (outcome.score / histogram.width) - (low / histogram.width);
    const auto inside = static_cast<size_t>(std::clamp(bin, 0.0, kBins - 1));
    ++(outcome.judged_spam ? histogram.spam : histogram.ham)[inside];
  }
  return histogram;
}

std::optional<double> ScoreAt(double probability, std::span<const Outcome> outcomes) {
  double messages = 0;
  double mean_score = 0;
  double mean_odds = 0;
  double score_squares = 0;  // sums of products of the deviations from the means
  double products = 0;
  for (size_t i = outcomes.size(); i-- > 0 && messages < kFittedMessages;) {
    const Outcome& outcome = outcomes[i];
    if (!(outcome.probability > kSaturated && outcome.probability < 1 - kSaturated)) continue;
    const double odds = LogOdds(outcome.probability);
    const double deviation = outcome.score - mean_score;
    messages += 1;
    mean_score += deviation / messages;
    mean_odds += (odds - mean_odds) / messages;
    score_squares += deviation * (outcome.score - mean_score);
    products += deviation * (odds - mean_odds);
  }
  const double score = mean_score + (LogOdds(probability) - mean_odds) * score_squares / products;
  if (!(products > 0) || !std::isfinite(score)) return std::nullopt;
  return score;
}

}  // namespace thresher::eval
