// Which settings to choose: those that are never far from the best of a grid.
//
// A cell is a stream under a condition. In each cell the area of some settings is divided by that of the best
// ones. On a few thousand messages single messages decide over small differences. So both have a floor added:
// the area of one message of the rarer class in the middle of the other one. The log-loss has the same
// treatment, with a loss of 1 for one message.
//
// Used by the choice of defaults. Thread-safety: pure functions.
#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "bench/choose/result_lines.h"

namespace thresher::bench {

struct Cell {
  std::string stream;  // "CORPUS/VIEW"
  std::string condition;
  auto operator<=>(const Cell&) const = default;  // NOLINT(modernize-use-nullptr): it sees a 0 in <=>

  std::string Corpus() const { return stream.substr(0, stream.find('/')); }
};

// Figures over the seeds of a cell.
struct Medians {
  double area = 0;
  double log_loss = 0;
  double area_floor = 0;
  double log_loss_floor = 0;
};

// The cells in which all of `teachings` (texts) were measured; of each the medians, in the order of
// `teachings`.
using Table = std::map<Cell, std::vector<Medians>>;
Table CellsOf(const Results& results, std::span<const std::string> teachings);

struct Ratios {
  double worst = 1;
  double geometric_mean = 1;
  Cell worst_cell;
  double Product() const { return worst * geometric_mean; }
};

enum class Figure { kArea, kLogLoss };

// To the best of the table, of settings number `which`, over the cells of other corpora than `left_out`.
Ratios RatiosOf(const Table& table, size_t which, Figure figure, const std::string& left_out = "");
double RatioIn(const std::vector<Medians>& cell, size_t which, Figure figure);
size_t BestIn(const std::vector<Medians>& cell, Figure figure);

// The settings with the least product of worst ratio and geometric mean of the area. REQUIRES: some cells are
// not of `left_out`.
size_t Choice(const Table& table, const std::string& left_out = "");

// How far one setting is from another in a cell, over the seeds after the first: by the first, the better of
// many is also the luckier one.
struct PairedRatio {
  size_t seeds = 0;
  double ratio = 1;  // of the areas: the geometric mean
  double low = 1;    // its 95 % interval, by Student's distribution; 1 to 1 with fewer than 2 seeds
  double high = 1;
};
PairedRatio PairedIn(const Results& results, const Cell& cell, const std::string& teaching,
                     const std::string& other);

}  // namespace thresher::bench
