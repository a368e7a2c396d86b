// The messages of a comparison, those that no figure can tell apart taken together. Internal to eval/.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "eval/figures.h"
#include "eval/outcome.h"
#include "eval/ranking.h"

namespace thresher::eval {

// Of one class, with the same verdicts and on the same level in the order of either filter.
struct PairedCell {
  std::array<uint32_t, 2> level;
  std::array<bool, 2> called_spam;
  bool judged_spam;
  uint64_t messages;
};

// What a comparison gives as differences, in percent; NaN where a class is missing.
enum Figure : uint8_t { kArea, kHam, kSpam, kLogisticAverage };
using Figures = std::array<double, 4>;

class PairedCells {
 public:
  // REQUIRES: both spans have the same length and the same judgements in the same order.
  PairedCells(std::span<const Outcome> first, std::span<const Outcome> second, Ties ties);

  const std::vector<PairedCell>& cells() const { return cells_; }
  std::vector<uint64_t> Sizes() const;  // of the cells

  // Figures of one filter if cells()[i] held times[i] messages.
  ContingencyTable Tabulate(std::span<const uint64_t> times, size_t filter) const;
  Figures FiguresOf(std::span<const uint64_t> times, size_t filter) const;

  struct Counts {
    std::vector<uint64_t> ham;
    std::vector<uint64_t> spam;
  };
  Counts ByLevel(std::span<const uint64_t> times, size_t filter) const;

 private:
  std::vector<PairedCell> cells_;  // ham before spam
  std::array<size_t, 2> levels_{};
};

// What a message adds to the figures of one filter, to first order: they are the sum, over the two classes,
// of the means of these, but for a constant.
class Influence {
 public:
  Influence(const PairedCells& pairs, size_t filter);

  Figures Of(const PairedCell& cell) const;

 private:
  size_t filter_;
  std::vector<double>
      ham_placement_;  // by level: percent of the other class on the wrong side of a message there
  std::vector<double> spam_placement_;
  double ham_slope_;  // of lam% in hm%
  double spam_slope_;
};

}  // namespace thresher::eval
