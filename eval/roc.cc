// The figures that need no threshold: they come from the order of the scores alone.
#include <algorithm>
#include <cmath>
#include <vector>

#include "eval/figures.h"
#include "eval/normal.h"
#include "eval/proportion_interval.h"

namespace thresher::eval {
namespace {

// Scores of each class in ascending order.
struct Ranking {
  std::vector<double> ham;
  std::vector<double> spam;

  explicit Ranking(std::span<const Outcome> outcomes) {
    for (const Outcome& outcome : outcomes) (outcome.judged_spam ? spam : ham).push_back(outcome.score);
    std::sort(ham.begin(), ham.end());
    std::sort(spam.begin(), spam.end());
  }
  bool HasBothClasses() const { return !ham.empty() && !spam.empty(); }
};

// All messages of one score, and how many of each class score lower.
struct Tie {
  uint64_t ham_below;
  uint64_t spam_below;
  uint64_t ham;
  uint64_t spam;
};

// Visits the distinct scores in ascending order, until visit returns false.
template <typename Visit>
void ForEachTie(const Ranking& ranking, Visit visit) {
  auto ham = ranking.ham.begin();
  auto spam = ranking.spam.begin();
  while (ham != ranking.ham.end() || spam != ranking.spam.end()) {
    const bool ham_is_next = spam == ranking.spam.end() || (ham != ranking.ham.end() && *ham <= *spam);
    const double score = ham_is_next ? *ham : *spam;
    const auto differs = [score](double other) { return other != score; };
    const auto ham_end = std::find_if(ham, ranking.ham.end(), differs);
    const auto spam_end = std::find_if(spam, ranking.spam.end(), differs);
    const Tie tie = {static_cast<uint64_t>(ham - ranking.ham.begin()),
                     static_cast<uint64_t>(spam - ranking.spam.begin()), static_cast<uint64_t>(ham_end - ham),
                     static_cast<uint64_t>(spam_end - spam)};
    if (!visit(tie)) return;
    ham = ham_end;
    spam = spam_end;
  }
}

// Share of (spam, ham) pairs that stand in the wrong order, a tie being half wrong.
double InvertedShare(const Ranking& ranking) {
  uint64_t doubled = 0;  // twice the count, so that halves stay whole
  ForEachTie(ranking, [&](const Tie& tie) {
    const uint64_t ham_above = ranking.ham.size() - tie.ham_below - tie.ham;
    doubled += tie.spam * (2 * ham_above + tie.ham);
    return true;
  });
  return static_cast<double>(doubled) / 2 / static_cast<double>(ranking.ham.size()) /
         static_cast<double>(ranking.spam.size());
}

// DeLong, DeLong, Clarke-Pearson 1988. A message's placement is the share of the other class that stands on
// the wrong side of it; the area is the mean placement of either class, and its variance the sum of the two
// variances of a mean. REQUIRES: at least two of each class.
double DeLongVariance(const Ranking& ranking, double area) {
  const auto hams = static_cast<double>(ranking.ham.size());
  const auto spams = static_cast<double>(ranking.spam.size());
  double ham_squares = 0;
  double spam_squares = 0;
  ForEachTie(ranking, [&](const Tie& tie) {
    const uint64_t ham_above = ranking.ham.size() - tie.ham_below - tie.ham;
    const double spam_placement = static_cast<double>(2 * ham_above + tie.ham) / 2 / hams;
    const double ham_placement = static_cast<double>(2 * tie.spam_below + tie.spam) / 2 / spams;
    spam_squares += static_cast<double>(tie.spam) * (spam_placement - area) * (spam_placement - area);
    ham_squares += static_cast<double>(tie.ham) * (ham_placement - area) * (ham_placement - area);
    return true;
  });
  return spam_squares / (spams - 1) / spams + ham_squares / (hams - 1) / hams;
}

double Logistic(double x) { return 1 / (1 + std::exp(-x)); }

ProportionInterval AreaInterval(const Ranking& ranking, double area) {
  const size_t pairs = std::min(ranking.ham.size(), ranking.spam.size());
  const double variance = pairs < 2 ? 0 : DeLongVariance(ranking, area);
  // As many pairs without a message in common are independent, so the binomial interval holds for them.
  if (variance == 0) {
    const auto n = static_cast<double>(pairs);
    return ClopperPearson(area * n, n);
  }
  // d logit(a)/da = 1/(a(1−a)); a variance above 0 puts the area strictly between 0 and 1.
  const double logit = std::log(area / (1 - area));
  const double reach = kNormal975 * std::sqrt(variance) / (area * (1 - area));
  return {Logistic(logit - reach), Logistic(logit + reach)};
}

}  // namespace

std::optional<double> RocAreaAbove(std::span<const Outcome> outcomes) {
  const Ranking ranking(outcomes);
  if (!ranking.HasBothClasses()) return std::nullopt;
  return 100 * InvertedShare(ranking);
}

std::optional<Percentage> RocAreaAboveWithInterval(std::span<const Outcome> outcomes) {
  const Ranking ranking(outcomes);
  if (!ranking.HasBothClasses()) return std::nullopt;
  const double area = InvertedShare(ranking);
  const auto [low, high] = AreaInterval(ranking, area);
  return Percentage{100 * area, 100 * low, 100 * high};
}

uint64_t HamAllowed(uint64_t ham, double ham_percent) {
  return static_cast<uint64_t>(std::floor(ham_percent * static_cast<double>(ham) / 100));
}

std::optional<double> SpamMisclassificationAt(std::span<const Outcome> outcomes, double ham_percent) {
  const Ranking ranking(outcomes);
  if (!ranking.HasBothClasses()) return std::nullopt;
  const uint64_t allowed = HamAllowed(ranking.ham.size(), ham_percent);
  // Spam is what scores at least the threshold. Raising it lets ham pass and more spam with it, so the lowest
  // one that spares enough ham is best; above all scores no ham is lost and every spam is.
  uint64_t missed = ranking.spam.size();
  ForEachTie(ranking, [&](const Tie& tie) {
    const bool spares_enough = ranking.ham.size() - tie.ham_below <= allowed;
    if (spares_enough) missed = tie.spam_below;
    return !spares_enough;
  });
  return 100 * static_cast<double>(missed) / static_cast<double>(ranking.spam.size());
}

}  // namespace thresher::eval
