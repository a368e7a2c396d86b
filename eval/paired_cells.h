// The messages of a comparison; those that are the same to every figure are one cell.
//
// Used by comparison.cc. Thread-safety: a plain value.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "eval/figures.h"
#include "eval/outcome.h"
#include "eval/ranking.h"

namespace thresher::eval {

// Messages of one class with the same verdicts and the same level in the ranking of each filter.
struct PairedCell {
  std::array<uint32_t, 2> level;
  std::array<bool, 2> called_spam;
  bool judged_spam;
  uint64_t messages;
};

// The figures that a comparison subtracts, in percent; NaN if a class has no message.
enum Figure : uint8_t { kArea, kHam, kSpam, kLogisticAverage };
using Figures = std::array<double, 4>;

class PairedCells {
 public:
  // REQUIRES: both spans have the same length and the same judgements in the same order.
  PairedCells(std::span<const Outcome> first, std::span<const Outcome> second, Ties ties);

  const std::vector<PairedCell>& cells() const { return cells_; }
  std::vector<uint64_t> Sizes() const;  // of the cells

  // Figures of one filter if cells()[i] had times[i] messages.
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

// The influence of a message on the figures of one filter, to first order: up to a constant, a figure is the
// sum over the two classes of the mean influence.
class Influence {
 public:
  Influence(const PairedCells& pairs, size_t filter);

  Figures Of(const PairedCell& cell) const;

 private:
  size_t filter_;
  std::vector<double>
      ham_placement_;  // by level: percent of the other class that a message there is on the wrong side of
  std::vector<double> spam_placement_;
  double ham_slope_;  // of lam% in hm%
  double spam_slope_;
};

}  // namespace thresher::eval
