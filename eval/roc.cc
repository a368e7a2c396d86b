#include "eval/roc.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "eval/normal.h"
#include "eval/proportion_interval.h"
#include "eval/resample.h"

namespace thresher::eval {
namespace {

// A level and the number of messages of each class below it.
struct Step {
  uint64_t ham_below = 0;
  uint64_t spam_below = 0;
  const Level* level = nullptr;
};

// Visits the levels in ascending order.
template <typename Visit>
void ForEachStep(const Ranking& ranking, Visit visit) {
  Step step;
  for (const Level& level : ranking.levels) {
    step.level = &level;
    visit(step);
    step.ham_below += level.ham;
    step.spam_below += level.spam;
  }
}

double ShareOfPairs(uint64_t doubled, uint64_t ham, uint64_t spam) {
  return static_cast<double>(doubled) / 2 / static_cast<double>(ham) / static_cast<double>(spam);
}

// The share of (spam, ham) pairs in the wrong order; a tie is half a pair.
double InvertedShare(const Ranking& ranking) {
  uint64_t doubled = 0;  // twice the count: a tie is half a pair
  ForEachStep(ranking, [&](const Step& step) {
    doubled += step.level->ham * (2 * step.spam_below + step.level->spam);
  });
  return ShareOfPairs(doubled, ranking.ham, ranking.spam);
}

// DeLong, DeLong, Clarke-Pearson 1988. The placement of a message is the share of the other class on the
// wrong side of it. The area is the mean placement of either class; its variance is the sum of the variances
// of the two means. REQUIRES: at least two messages of each class.
double DeLongVariance(const Ranking& ranking, double area) {
  const auto hams = static_cast<double>(ranking.ham);
  const auto spams = static_cast<double>(ranking.spam);
  double ham_squares = 0;
  double spam_squares = 0;
  ForEachStep(ranking, [&](const Step& step) {
    const Level& level = *step.level;
    const uint64_t ham_above = ranking.ham - step.ham_below - level.ham;
    const double spam_placement = static_cast<double>(2 * ham_above + level.ham) / 2 / hams;
    const double ham_placement = static_cast<double>(2 * step.spam_below + level.spam) / 2 / spams;
    spam_squares += static_cast<double>(level.spam) * (spam_placement - area) * (spam_placement - area);
    ham_squares += static_cast<double>(level.ham) * (ham_placement - area) * (ham_placement - area);
  });
  return spam_squares / (spams - 1) / spams + ham_squares / (hams - 1) / hams;
}

double Logistic(double x) { return 1 / (1 + std::exp(-x)); }

// d logit(a)/da = 1/(a(1−a)). REQUIRES: a variance above 0, which puts the area strictly between 0 and 1.
ProportionInterval OnLogitScale(double area, double variance) {
  const double logit = std::log(area / (1 - area));
  const double reach = kNormal975 * std::sqrt(variance) / (area * (1 - area));
  return {Logistic(logit - reach), Logistic(logit + reach)};
}

// Resamples within each class, so that no resample lacks a class.
ProportionInterval ByBootstrap(const Ranking& ranking, uint64_t seed) {
  std::vector<uint64_t> hams;
  std::vector<uint64_t> spams;
  for (const Level& level : ranking.levels) {
    hams.push_back(level.ham);
    spams.push_back(level.spam);
  }
  Resampler ham_resampler(hams);
  Resampler spam_resampler(spams);
  Random random(seed);
  std::vector<double> areas;
  for (size_t resample = 0; resample < kResamples; ++resample) {
    const std::vector<uint64_t>& ham = ham_resampler.Draw(random);
    const std::vector<uint64_t>& spam = spam_resampler.Draw(random);
    uint64_t doubled = 0;
    uint64_t spam_below = 0;
    for (size_t i = 0; i < ham.size(); ++i) {
      doubled += ham[i] * (2 * spam_below + spam[i]);
      spam_below += spam[i];
    }
    areas.push_back(ShareOfPairs(doubled, ranking.ham, ranking.spam));
  }
  const auto [low, high] = MiddleOf(std::move(areas));
  return {low, high};
}

RocArea WithInterval(const Ranking& ranking, double area, const IntervalOptions& options) {
  const auto with = [area](const ProportionInterval& interval, RocArea::By by) {
    return RocArea{{100 * area, 100 * interval.low, 100 * interval.high}, by};
  };
  const uint64_t pairs = std::min(ranking.ham, ranking.spam);
  const double variance = pairs < 2 ? 0 : DeLongVariance(ranking, area);
  // That many pairs have no message in common, so they are independent and the binomial interval is valid.
  if (variance == 0) {
    const auto n = static_cast<double>(pairs);
    return with(ClopperPearson(area * n, n), RocArea::By::kClopperPearson);
  }
  if (options.Bootstraps(ranking.ham + ranking.spam))
    return with(ByBootstrap(ranking, options.seed), RocArea::By::kBootstrap);
  return with(OnLogitScale(area, variance), RocArea::By::kDeLong);
}

}  // namespace

std::optional<double> RocAreaAbove(const Ranking& ranking) {
  if (!ranking.HasBothClasses()) return std::nullopt;
  return 100 * InvertedShare(ranking);
}

std::optional<RocArea> RocAreaAbove(const Ranking& ranking, const IntervalOptions& options) {
  if (!ranking.HasBothClasses()) return std::nullopt;
  return WithInterval(ranking, InvertedShare(ranking), options);
}

uint64_t HamAllowed(uint64_t ham, double ham_percent) {
  return static_cast<uint64_t>(std::floor(ham_percent * static_cast<double>(ham) / 100));
}

std::optional<double> SpamMisclassificationAt(const Ranking& ranking, double ham_percent) {
  if (!ranking.HasBothClasses()) return std::nullopt;
  const uint64_t allowed = HamAllowed(ranking.ham, ham_percent);
  // A threshold calls spam all messages on its level and above. A higher threshold loses less ham and leaves
  // more spam, so the lowest one that loses few enough ham is best. Above all levels no message is called
  // spam.
  uint64_t missed = ranking.spam;
  ForEachStep(ranking, [&](const Step& step) {
    if (ranking.ham - step.ham_below <= allowed) missed = std::min(missed, step.spam_below);
  });
  return 100 * static_cast<double>(missed) / static_cast<double>(ranking.spam);
}

}  // namespace thresher::eval
