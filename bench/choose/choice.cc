#include "bench/choose/choice.h"

#include <algorithm>
#include <boost/math/distributions/students_t.hpp>
#include <cmath>

namespace thresher::bench {
namespace {

double MedianOf(std::vector<double> numbers) {
  std::ranges::sort(numbers);
  const size_t middle = numbers.size() / 2;
  return numbers.size() % 2 == 1 ? numbers[middle] : (numbers[middle - 1] + numbers[middle]) / 2;
}

Medians MediansOf(const std::vector<Quality>& seeds) {
  std::vector<double> areas;
  std::vector<double> losses;
  for (const Quality& quality : seeds) {
    areas.push_back(quality.area);
    losses.push_back(quality.log_loss);
  }
  const Quality& any = seeds.front();
  return {.area = MedianOf(areas),
          .log_loss = MedianOf(losses),
          .area_floor = 50.0 / static_cast<double>(std::max<uint64_t>(1, any.smaller_class)),
          .log_loss_floor = 1.0 / static_cast<double>(std::max<uint64_t>(1, any.messages))};
}

double WithFloor(const Medians& medians, Figure figure) {
  return figure == Figure::kArea ? medians.area + medians.area_floor
                                 : medians.log_loss + medians.log_loss_floor;
}

}  // namespace

Table CellsOf(const Results& results, std::span<const std::string> teachings) {
  std::map<Cell, std::map<std::string, std::vector<Quality>>> seeds;
  for (const auto& [what, quality] : results)
    seeds[{what.stream, what.condition}][what.teaching].push_back(quality);
  Table table;
  for (const auto& [cell, by_teaching] : seeds) {
    const auto& measured = by_teaching;  // clang 14 cannot capture a part of a structured binding
    const auto is_measured = [&](const std::string& teaching) { return measured.contains(teaching); };
    if (!std::ranges::all_of(teachings, is_measured)) continue;
    for (const std::string& teaching : teachings) table[cell].push_back(MediansOf(measured.at(teaching)));
  }
  return table;
}

size_t BestIn(const std::vector<Medians>& cell, Figure figure) {
  const auto best =
      std::ranges::min_element(cell, {}, [&](const Medians& medians) { return WithFloor(medians, figure); });
  return static_cast<size_t>(best - cell.begin());
}

double RatioIn(const std::vector<Medians>& cell, size_t which, Figure figure) {
  return WithFloor(cell[which], figure) / WithFloor(cell[BestIn(cell, figure)], figure);
}

Ratios RatiosOf(const Table& table, size_t which, Figure figure, const std::string& left_out) {
  Ratios ratios;
  double logarithms = 0;
  double cells = 0;
  for (const auto& [cell, medians] : table) {
    if (cell.Corpus() == left_out) continue;
    const double ratio = RatioIn(medians, which, figure);
    logarithms += std::log(ratio);
    ++cells;
    if (ratio >= ratios.worst) {
      ratios.worst = ratio;
      ratios.worst_cell = cell;
    }
  }
  ratios.geometric_mean = std::exp(logarithms / std::max(1.0, cells));
  return ratios;
}

size_t Choice(const Table& table, const std::string& left_out) {
  size_t choice = 0;
  double least = 0;
  for (size_t which = 0; which < table.begin()->second.size(); ++which) {
    const double product = RatiosOf(table, which, Figure::kArea, left_out).Product();
    if (which != 0 && product >= least) continue;
    choice = which;
    least = product;
  }
  return choice;
}

PairedRatio PairedIn(const Results& results, const Cell& cell, const std::string& teaching,
                     const std::string& other) {
  std::vector<double> logarithms;
  for (const auto& [what, quality] : results) {
    if (what.stream != cell.stream || what.condition != cell.condition || what.teaching != teaching ||
        what.seed < 2)
      continue;
    const auto its = results.find({what.stream, what.condition, what.seed, other});
    if (its == results.end()) continue;
    logarithms.push_back(std::log(WithFloor(MediansOf({quality}), Figure::kArea) /
                                  WithFloor(MediansOf({its->second}), Figure::kArea)));
  }
  PairedRatio paired{.seeds = logarithms.size()};
  if (paired.seeds == 0) return paired;
  const auto n = static_cast<double>(paired.seeds);
  double mean = 0;
  for (const double logarithm : logarithms) mean += logarithm / n;
  paired.ratio = std::exp(mean);
  if (paired.seeds < 2) return paired;
  double squares = 0;
  for (const double logarithm : logarithms) squares += (logarithm - mean) * (logarithm - mean);
  const double quantile = boost::math::quantile(boost::math::students_t(n - 1), 0.975);
  const double half = quantile * std::sqrt(squares / (n - 1) / n);
  paired.low = std::exp(mean - half);
  paired.high = std::exp(mean + half);
  return paired;
}

}  // namespace thresher::bench
