#include "eval/plot_data.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace thresher::eval {
namespace {

constexpr double kLeastStep = 0.005;  // decades

double Decades(uint64_t from, uint64_t to) {
  const auto least = [](uint64_t count) { return std::max(0.5, static_cast<double>(count)); };
  return std::abs(std::log10(least(to) / least(from)));
}

// The scores below which and above which a thousandth of them lies. REQUIRES: there are some.
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
  // Halves first: the difference of two numbers may be more than a number can be, or too little to divide by.
  const double width = 2 * (high / 2 / kBins - low / 2 / kBins);
  histogram.width = high > low ? std::max(width, std::numeric_limits<double>::min()) : 1;
  for (const Outcome& outcome : outcomes) {
    const double bin = (outcome.score / histogram.width) - (low / histogram.width);
    const auto inside = static_cast<size_t>(std::clamp(bin, 0.0, kBins - 1));
    ++(outcome.judged_spam ? histogram.spam : histogram.ham)[inside];
  }
  return histogram;
}

}  // namespace thresher::eval
