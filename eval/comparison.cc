#include "eval/comparison.h"

#include <algorithm>
#include <array>
#include <boost/math/distributions/binomial.hpp>
#include <cmath>
#include <limits>
#include <utility>
#include <vector>

#include "eval/normal.h"
#include "eval/paired_cells.h"
#include "eval/resample.h"

namespace thresher::eval {
namespace {

constexpr size_t kFigures = std::tuple_size_v<Figures>;

struct Bounds {
  std::array<double, kFigures> low;
  std::array<double, kFigures> high;
};

// Resamples within each class, so that no resample lacks a class.
Bounds ByBootstrap(const PairedCells& pairs, uint64_t seed) {
  std::vector<uint64_t> sizes = pairs.Sizes();
  const auto first_spam = static_cast<std::ptrdiff_t>(std::count_if(
      pairs.cells().begin(), pairs.cells().end(), [](const PairedCell& cell) { return !cell.judged_spam; }));
  Resampler ham({sizes.begin(), sizes.begin() + first_spam});
  Resampler spam({sizes.begin() + first_spam, sizes.end()});
  Random random(seed);
  std::array<std::vector<double>, kFigures> differences;
  std::vector<uint64_t> times(sizes.size());
  for (size_t resample = 0; resample < kResamples; ++resample) {
    const auto& hams = ham.Draw(random);
    const auto& spams = spam.Draw(random);
    std::copy(spams.begin(), spams.end(), std::copy(hams.begin(), hams.end(), times.begin()));
    const Figures a = pairs.FiguresOf(times, 0);
    const Figures b = pairs.FiguresOf(times, 1);
    for (size_t f = 0; f < kFigures; ++f) differences[f].push_back(b[f] - a[f]);
  }
  Bounds bounds{};
  for (size_t f = 0; f < kFigures; ++f) {
    const auto [low, high] = MiddleOf(std::move(differences[f]));
    bounds.low[f] = low;
    bounds.high[f] = high;
  }
  return bounds;
}

using Influences = std::array<Influence, 2>;  // on the figures of either filter

// Calls visit(figures of the second filter minus those of the first, messages) for each cell of one class.
template <typename Visit>
void ForEachDifference(const PairedCells& pairs, const Influences& influences, bool spam, Visit visit) {
  for (const PairedCell& cell : pairs.cells()) {
    if (cell.judged_spam != spam) continue;
    const Figures first = influences[0].Of(cell);
    Figures difference = influences[1].Of(cell);
    for (size_t f = 0; f < kFigures; ++f) difference[f] -= first[f];
    visit(difference, static_cast<double>(cell.messages));
  }
}

// The sum over the classes of the variance of the mean. A class of one message has no variance; nor have
// differences that are all the same, though their mean is rounded.
Figures VarianceOfMeans(const PairedCells& pairs, const Influences& influences) {
  Figures variance{};
  for (const bool spam : {false, true}) {
    double count = 0;
    Figures sum{};
    Figures squares{};
    Figures least;
    Figures most;
    least.fill(std::numeric_limits<double>::infinity());
    most.fill(-std::numeric_limits<double>::infinity());
    ForEachDifference(pairs, influences, spam, [&](const Figures& difference, double messages) {
      count += messages;
      for (size_t f = 0; f < kFigures; ++f) {
        sum[f] += messages * difference[f];
        least[f] = std::min(least[f], difference[f]);
        most[f] = std::max(most[f], difference[f]);
      }
    });
    ForEachDifference(pairs, influences, spam, [&](const Figures& difference, double messages) {
      for (size_t f = 0; f < kFigures; ++f) {
        const double deviation = least[f] == most[f] ? 0 : difference[f] - sum[f] / count;
        squares[f] += messages * deviation * deviation;
      }
    });
    for (size_t f = 0; f < kFigures && count > 1; ++f) variance[f] += squares[f] / (count - 1) / count;
  }
  return variance;
}

// Whether any message counts differently; the sum of what changed may still be 0.
std::array<bool, kFigures> Changed(const PairedCells& pairs, const Influences& influences) {
  std::array<bool, kFigures> changed{};
  for (const bool spam : {false, true}) {
    ForEachDifference(pairs, influences, spam, [&](const Figures& difference, double /*messages*/) {
      for (size_t f = 0; f < kFigures; ++f) changed[f] |= difference[f] != 0;
    });
  }
  return changed;
}

// DeLong's test of two correlated curves for the area, the delta method for the other figures.
Bounds ByInfluence(const PairedCells& pairs, const Influences& influences, const Figures& a,
                   const Figures& b) {
  const Figures variance = VarianceOfMeans(pairs, influences);
  Bounds bounds{};
  for (size_t f = 0; f < kFigures; ++f) {
    const double reach = kNormal975 * std::sqrt(variance[f]);
    bounds.low[f] = b[f] - a[f] - reach;
    bounds.high[f] = b[f] - a[f] + reach;
  }
  return bounds;
}

Discordance CountDiscordance(const PairedCells& pairs, bool ham, bool spam) {
  Discordance counts;
  for (const PairedCell& cell : pairs.cells()) {
    const auto [a, b] = cell.called_spam;
    if (!(cell.judged_spam ? spam : ham) || a == b) continue;
    (a == cell.judged_spam ? counts.only_second_wrong : counts.only_first_wrong) += cell.messages;
  }
  const auto split = static_cast<double>(counts.only_first_wrong + counts.only_second_wrong);
  if (split == 0) return counts;
  const auto fewer = static_cast<double>(std::min(counts.only_first_wrong, counts.only_second_wrong));
  // Two-sided: twice the tail of a fair coin. The middle is in both tails, hence the minimum.
  counts.p_value = std::min(1.0, 2 * boost::math::cdf(boost::math::binomial(split, 0.5), fewer));
  return counts;
}

}  // namespace

Comparison Compare(std::span<const Outcome> first, std::span<const Outcome> second, Ties ties,
                   const IntervalOptions& options) {
  const PairedCells pairs(first, second, ties);
  const Influences influences = {Influence(pairs, 0), Influence(pairs, 1)};
  const std::vector<uint64_t> once = pairs.Sizes();
  const Figures a = pairs.FiguresOf(once, 0);
  const Figures b = pairs.FiguresOf(once, 1);
  const Bounds bounds = options.Bootstraps(first.size()) ? ByBootstrap(pairs, options.seed)
                                                         : ByInfluence(pairs, influences, a, b);
  const std::array<bool, kFigures> changed = Changed(pairs, influences);
  const auto spams = std::ranges::count(first, true, &Outcome::judged_spam);
  const bool is_one_spam = spams == 1;
  const bool is_one_ham = static_cast<size_t>(spams) + 1 == first.size();
  const auto difference = [&](Figure f) -> std::optional<Difference> {
    if (std::isnan(a[f])) return std::nullopt;
    const bool hangs_on_one = (is_one_spam && f != kHam) || (is_one_ham && f != kSpam);
    const bool says_nothing = hangs_on_one ? changed[f] : a[f] != b[f] && bounds.low[f] == bounds.high[f];
    const Difference::Interval interval{.low = bounds.low[f], .high = bounds.high[f]};
    return Difference{
        .first = a[f], .second = b[f], .interval = says_nothing ? std::nullopt : std::optional(interval)};
  };
  return {.messages = first.size(),
          .roc_area_above = difference(kArea),
          .ham_misclassification = difference(kHam),
          .spam_misclassification = difference(kSpam),
          .logistic_average = difference(kLogisticAverage),
          .ham = CountDiscordance(pairs, true, false),
          .spam = CountDiscordance(pairs, false, true),
          .all = CountDiscordance(pairs, true, true)};
}

}  // namespace thresher::eval
