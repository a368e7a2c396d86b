#include "eval/paired_cells.h"

#include <algorithm>
#include <cmath>
#include <tuple>

namespace thresher::eval {
namespace {

// NaN without messages.
double Percent(uint64_t wrong, uint64_t total) {
  return 100 * static_cast<double>(wrong) / static_cast<double>(total);
}

auto Key(const PairedCell& cell) {
  return std::tuple(cell.judged_spam, cell.level[0], cell.level[1], cell.called_spam[0], cell.called_spam[1]);
}

// d lam / d rate, both in percent, with the rate smoothed as in lam%.
double Slope(double lam, uint64_t wrong, uint64_t total) {
  const double rate = (static_cast<double>(wrong) + 0.5) / (static_cast<double>(total) + 1);
  return lam / 100 * (1 - lam / 100) / 2 / (rate * (1 - rate));
}

}  // namespace

PairedCells::PairedCells(std::span<const Outcome> first, std::span<const Outcome> second, Ties ties) {
  const std::span<const Outcome> outcomes[2] = {first, second};
  cells_.resize(first.size());
  std::vector<uint32_t> level_of;
  for (const size_t filter : {size_t{0}, size_t{1}}) {
    levels_[filter] = Rank(outcomes[filter], ties, &level_of).levels.size();
    for (size_t i = 0; i < cells_.size(); ++i) {
      const Outcome& outcome = outcomes[filter][i];
      cells_[i].level[filter] = level_of[i];
      cells_[i].called_spam[filter] = outcome.called_spam;
      cells_[i].judged_spam = outcome.judged_spam;
      cells_[i].messages = 1;
    }
  }
  std::sort(cells_.begin(), cells_.end(),
            [](const PairedCell& a, const PairedCell& b) { return Key(a) < Key(b); });
  size_t kept = 0;
  for (size_t i = 1; i < cells_.size(); ++i) {
    if (Key(cells_[i]) == Key(cells_[kept])) {
      ++cells_[kept].messages;
    } else {
      cells_[++kept] = cells_[i];
    }
  }
  if (!cells_.empty()) cells_.resize(kept + 1);
}

std::vector<uint64_t> PairedCells::Sizes() const {
  std::vector<uint64_t> sizes;
  sizes.reserve(cells_.size());
  for (const PairedCell& cell : cells_) sizes.push_back(cell.messages);
  return sizes;
}

ContingencyTable PairedCells::Tabulate(std::span<const uint64_t> times, size_t filter) const {
  ContingencyTable table;
  for (size_t i = 0; i < cells_.size(); ++i) {
    const bool called_spam = cells_[i].called_spam[filter];
    (cells_[i].judged_spam ? (called_spam ? table.spam_as_spam : table.spam_as_ham)
                           : (called_spam ? table.ham_as_spam : table.ham_as_ham)) += times[i];
  }
  return table;
}

PairedCells::Counts PairedCells::ByLevel(std::span<const uint64_t> times, size_t filter) const {
  Counts counts{std::vector<uint64_t>(levels_[filter]), std::vector<uint64_t>(levels_[filter])};
  for (size_t i = 0; i < cells_.size(); ++i)
    (cells_[i].judged_spam ? counts.spam : counts.ham)[cells_[i].level[filter]] += times[i];
  return counts;
}

Figures PairedCells::FiguresOf(std::span<const uint64_t> times, size_t filter) const {
  const ContingencyTable table = Tabulate(times, filter);
  const Counts counts = ByLevel(times, filter);
  uint64_t doubled = 0;
  uint64_t spam_below = 0;
  for (size_t level = 0; level < levels_[filter]; ++level) {
    doubled += counts.ham[level] * (2 * spam_below + counts.spam[level]);
    spam_below += counts.spam[level];
  }
  Figures figures;
  figures[kArea] = 50 * static_cast<double>(doubled) / static_cast<double>(table.ham()) /
                   static_cast<double>(table.spam());
  figures[kHam] = Percent(table.ham_as_spam, table.ham());
  figures[kSpam] = Percent(table.spam_as_ham, table.spam());
  const auto lam = LogisticAverageMisclassification(table);
  figures[kLogisticAverage] = lam ? lam->value : std::nan("");
  return figures;
}

Influence::Influence(const PairedCells& pairs, size_t filter) : filter_(filter) {
  const std::vector<uint64_t> sizes = pairs.Sizes();
  const ContingencyTable table = pairs.Tabulate(sizes, filter);
  const PairedCells::Counts counts = pairs.ByLevel(sizes, filter);
  uint64_t ham_above = table.ham();
  uint64_t spam_below = 0;
  for (size_t level = 0; level < counts.ham.size(); ++level) {
    ham_above -= counts.ham[level];
    spam_placement_.push_back(Percent(2 * ham_above + counts.ham[level], 2 * table.ham()));
    ham_placement_.push_back(Percent(2 * spam_below + counts.spam[level], 2 * table.spam()));
    spam_below += counts.spam[level];
  }
  const auto lam = LogisticAverageMisclassification(table);
  const double lam_percent = lam ? lam->value : std::nan("");
  ham_slope_ = Slope(lam_percent, table.ham_as_spam, table.ham());
  spam_slope_ = Slope(lam_percent, table.spam_as_ham, table.spam());
}

Figures Influence::Of(const PairedCell& cell) const {
  const double wrong = cell.called_spam[filter_] == cell.judged_spam ? 0 : 100;
  const uint32_t level = cell.level[filter_];
  Figures figures;
  figures[kArea] = cell.judged_spam ? spam_placement_[level] : ham_placement_[level];
  figures[kHam] = cell.judged_spam ? 0 : wrong;
  figures[kSpam] = cell.judged_spam ? wrong : 0;
  figures[kLogisticAverage] = wrong * (cell.judged_spam ? spam_slope_ : ham_slope_);
  return figures;
}

}  // namespace thresher::eval
