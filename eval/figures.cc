#include "eval/figures.h"

#include <cmath>

#include "eval/normal.h"
#include "eval/proportion_interval.h"

namespace thresher::eval {
namespace {

// Log-odds of an error. Half a message is added to each side, so that the logit is finite without errors.
struct SmoothedLogit {
  SmoothedLogit(uint64_t wrong, uint64_t total) {
    const double k = static_cast<double>(wrong) + 0.5;
    const double rest = static_cast<double>(total - wrong) + 0.5;
    value = std::log(k / rest);
    variance = 1 / k + 1 / rest;
  }
  double value;
  double variance;
};

double LogisticPercent(double logit) { return 100 / (1 + std::exp(-logit)); }

std::optional<double> Ratio(uint64_t part, uint64_t whole) {
  if (whole == 0) return std::nullopt;
  return static_cast<double>(part) / static_cast<double>(whole);
}

template <typename CalledSpam>
ContingencyTable TabulateBy(std::span<const Outcome> outcomes, CalledSpam called_spam) {
  ContingencyTable table;
  for (const Outcome& outcome : outcomes) {
    if (outcome.judged_spam) {
      ++(called_spam(outcome) ? table.spam_as_spam : table.spam_as_ham);
    } else {
      ++(called_spam(outcome) ? table.ham_as_spam : table.ham_as_ham);
    }
  }
  return table;
}

}  // namespace

ContingencyTable Tabulate(std::span<const Outcome> outcomes) {
  return TabulateBy(outcomes, [](const Outcome& outcome) { return outcome.called_spam; });
}

ContingencyTable TabulateAt(double threshold, std::span<const Outcome> outcomes) {
  return TabulateBy(outcomes, [=](const Outcome& outcome) { return outcome.score >= threshold; });
}

std::optional<double> PercentWrong(uint64_t wrong, uint64_t total) {
  if (total == 0) return std::nullopt;
  return 100 * static_cast<double>(wrong) / static_cast<double>(total);
}

std::optional<Percentage> MisclassificationRate(uint64_t wrong, uint64_t total) {
  const std::optional<double> percent = PercentWrong(wrong, total);
  if (!percent) return std::nullopt;
  const auto [low, high] = ClopperPearson(static_cast<double>(wrong), static_cast<double>(total));
  return Percentage{*percent, 100 * low, 100 * high};
}

std::optional<Percentage> LogisticAverageMisclassification(const ContingencyTable& table) {
  if (table.ham() == 0 || table.spam() == 0) return std::nullopt;
  const SmoothedLogit hm(table.ham_as_spam, table.ham());
  const SmoothedLogit sm(table.spam_as_ham, table.spam());
  const double logit = (hm.value + sm.value) / 2;
  const double reach = kNormal975 * std::sqrt(hm.variance + sm.variance) / 2;
  return Percentage{LogisticPercent(logit), LogisticPercent(logit - reach), LogisticPercent(logit + reach)};
}

std::optional<double> Precision(const ContingencyTable& table) {
  return Ratio(table.spam_as_spam, table.ham_as_spam + table.spam_as_spam);
}

std::optional<double> Recall(const ContingencyTable& table) {
  return Ratio(table.spam_as_spam, table.spam());
}

std::optional<double> F1(const ContingencyTable& table) {
  return Ratio(2 * table.spam_as_spam, table.ham_as_spam + table.spam_as_spam + table.spam());
}

std::optional<double> MatthewsCorrelation(const ContingencyTable& table) {
  const auto hits = static_cast<double>(table.spam_as_spam);
  const auto passes = static_cast<double>(table.ham_as_ham);
  const auto lost = static_cast<double>(table.ham_as_spam);
  const auto missed = static_cast<double>(table.spam_as_ham);
  const double margins =
      std::sqrt((hits + lost) * (hits + missed)) *  // in this order the result is exactly 1 without errors
      std::sqrt((passes + lost) * (passes + missed));
  if (margins == 0) return std::nullopt;
  return (hits * passes - lost * missed) / margins;
}

}  // namespace thresher::eval
