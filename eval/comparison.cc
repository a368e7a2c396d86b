#include "eval/comparison.h"

#include <algorithm>
#include <array>
#include <boost/math/distributions/binomial.hpp>
#include <cmath>
#include <numeric>
#include <string_view>
#include <unordered_map>
#include <utility>

#include "eval/figures.h"
#include "eval/resample.h"

namespace thresher::eval {
namespace {

using Times = std::span<const uint32_t>;

// One filter's results, made ready to be counted over and over with other weights.
class Run {
 public:
  explicit Run(std::span<const Outcome> outcomes) : outcomes_(outcomes), order_(outcomes.size()) {
    std::iota(order_.begin(), order_.end(), 0U);
    std::sort(order_.begin(), order_.end(),
              [&](uint32_t a, uint32_t b) { return outcomes[a].score < outcomes[b].score; });
  }

  ContingencyTable Tabulate(Times times) const {
    ContingencyTable table;
    for (size_t i = 0; i < times.size(); ++i) {
      const Outcome& o = outcomes_[i];
      (o.judged_spam ? (o.called_spam ? table.spam_as_spam : table.spam_as_ham)
                     : (o.called_spam ? table.ham_as_spam : table.ham_as_ham)) += times[i];
    }
    return table;
  }

  // In percent, as RocAreaAbove; NaN if a class is missing.
  double AreaAbove(Times times) const {
    uint64_t doubled = 0;
    uint64_t spam_below = 0;
    uint64_t ham = 0;
    for (size_t begin = 0; begin < order_.size();) {
      uint64_t tied_ham = 0;
      uint64_t tied_spam = 0;
      const double score = outcomes_[order_[begin]].score;
      for (; begin < order_.size() && outcomes_[order_[begin]].score == score; ++begin)
        (outcomes_[order_[begin]].judged_spam ? tied_spam : tied_ham) += times[order_[begin]];
      doubled += tied_ham * (2 * spam_below + tied_spam);
      spam_below += tied_spam;
      ham += tied_ham;
    }
    return 50 * static_cast<double>(doubled) / static_cast<double>(ham) / static_cast<double>(spam_below);
  }

 private:
  std::span<const Outcome> outcomes_;
  std::vector<uint32_t> order_;  // by score
};

// NaN of none.
double Rate(uint64_t wrong, uint64_t total) {
  return 100 * static_cast<double>(wrong) / static_cast<double>(total);
}

// What a comparison gives as differences; NaN where a class is missing.
struct Figures {
  double roc_area_above;
  double ham_misclassification;
  double spam_misclassification;
  double logistic_average;
};
constexpr std::array kFigures = {&Figures::roc_area_above, &Figures::ham_misclassification,
                                 &Figures::spam_misclassification, &Figures::logistic_average};

Figures FiguresOf(const Run& run, Times times) {
  const ContingencyTable table = run.Tabulate(times);
  const auto lam = LogisticAverageMisclassification(table);
  return {.roc_area_above = run.AreaAbove(times),
          .ham_misclassification = Rate(table.ham_as_spam, table.ham()),
          .spam_misclassification = Rate(table.spam_as_ham, table.spam()),
          .logistic_average = lam ? lam->value : std::nan("")};
}

Discordance CountDiscordance(std::span<const Outcome> first, std::span<const Outcome> second, bool ham,
                             bool spam) {
  Discordance counts;
  for (size_t i = 0; i < first.size(); ++i) {
    const bool judged_spam = first[i].judged_spam;
    if (!(judged_spam ? spam : ham) || first[i].called_spam == second[i].called_spam) continue;
    ++(first[i].called_spam == judged_spam ? counts.only_second_wrong : counts.only_first_wrong);
  }
  const auto split = static_cast<double>(counts.only_first_wrong + counts.only_second_wrong);
  if (split == 0) return counts;
  const auto fewer = static_cast<double>(std::min(counts.only_first_wrong, counts.only_second_wrong));
  // Twice the tail of a fair coin; the middle belongs to both tails.
  counts.p_value = std::min(1.0, 2 * boost::math::cdf(boost::math::binomial(split, 0.5), fewer));
  return counts;
}

}  // namespace

Pairing PairUp(const Results& first, const Results& second) {
  Pairing pairing;
  std::unordered_map<std::string_view, uint32_t> in_second;
  in_second.reserve(second.outcomes.size());
  for (uint32_t i = 0; i < second.outcomes.size(); ++i)
    pairing.repeated += in_second.emplace(second.paths[i], i).second ? 0 : 1;
  std::unordered_map<std::string_view, uint32_t> in_first;
  in_first.reserve(first.outcomes.size());
  uint64_t shared = 0;
  for (uint32_t i = 0; i < first.outcomes.size(); ++i) {
    if (!in_first.emplace(first.paths[i], i).second) {
      ++pairing.repeated;
      continue;
    }
    const auto found = in_second.find(first.paths[i]);
    if (found == in_second.end()) {
      ++pairing.only_in_first;
      continue;
    }
    ++shared;
    if (first.outcomes[i].judged_spam == second.outcomes[found->second].judged_spam) {
      pairing.pairs.push_back({i, found->second});
    } else {
      ++pairing.judged_differently;
    }
  }
  pairing.only_in_second = in_second.size() - shared;
  return pairing;
}

Comparison Compare(std::span<const Outcome> first, std::span<const Outcome> second, size_t resamples) {
  const Run one(first);
  const Run two(second);
  std::array<std::vector<double>, kFigures.size()> differences;
  ForEachResample(first, resamples, [&](Times times) {
    const Figures a = FiguresOf(one, times);
    const Figures b = FiguresOf(two, times);
    for (size_t f = 0; f < kFigures.size(); ++f) differences[f].push_back(b.*kFigures[f] - a.*kFigures[f]);
  });

  const std::vector<uint32_t> once(first.size(), 1);
  const Figures a = FiguresOf(one, once);
  const Figures b = FiguresOf(two, once);
  const auto difference = [&](size_t f) -> std::optional<Difference> {
    if (std::isnan(a.*kFigures[f])) return std::nullopt;
    const auto [low, high] = MiddleOf(std::move(differences[f]));
    return Difference{.first = a.*kFigures[f], .second = b.*kFigures[f], .low = low, .high = high};
  };
  Comparison comparison;
  comparison.messages = first.size();
  comparison.roc_area_above = difference(0);
  comparison.ham_misclassification = difference(1);
  comparison.spam_misclassification = difference(2);
  comparison.logistic_average = difference(3);
  comparison.ham = CountDiscordance(first, second, true, false);
  comparison.spam = CountDiscordance(first, second, false, true);
  comparison.all = CountDiscordance(first, second, true, true);
  return comparison;
}

}  // namespace thresher::eval
