// Carbonetto, Schmidt & de Freitas (2008), Fig. 2 and 3: the distance from the exact Lasso after one pass of
// each online method, for several step sizes, variances of the features, and penalties.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "reproduction/experiments.h"
#include "reproduction/lasso_methods.h"
#include "reproduction/runs.h"

namespace thresher::reproduction {
namespace {

constexpr uint64_t kDataSets = 20;
constexpr size_t kExamples = 100;

struct Condition {
  OnlineOptions options = {};
  double scale = 1;  // ν
};

std::vector<double> TrueBeta() {
  std::vector<double> beta;
  for (const double value : {0.0, 2.0, 0.0, 2.0}) beta.insert(beta.end(), 10, value);
  return beta;
}

// (1/n)‖a − b‖₁; infinite if the method diverged.
double Distance(const std::vector<double>& a, const std::vector<double>& b) {
  double sum = 0;
  for (size_t j = 0; j < a.size(); ++j) sum += std::abs(a[j] - b[j]);
  return std::isfinite(sum) ? sum / kExamples : std::numeric_limits<double>::infinity();
}

double Median(std::vector<double> values) {
  std::ranges::sort(values);
  const size_t half = values.size() / 2;
  return values.size() % 2 == 1 ? values[half] : (values[half - 1] + values[half]) / 2;
}

// Over the data sets.
struct Centre {
  double median = 0;
  double mean = 0;
};

// Of the distances of each method.
std::vector<Centre> Distances(const Condition& condition) {
  std::vector<std::vector<double>> distances(OnlineLassoMethods().size());
  for (uint64_t seed = 1; seed <= kDataSets; ++seed) {
    const Regression data = SimulateRegression(TrueBeta(), kExamples, condition.scale, seed);
    const std::vector<double> exact = ExactLasso(data, condition.options.penalty);
    for (size_t m = 0; m < distances.size(); ++m) {
      distances[m].push_back(Distance(OnlineLassoMethods()[m].run(data, condition.options), exact));
    }
  }
  std::vector<Centre> centres;
  centres.reserve(distances.size());
  for (const std::vector<double>& each : distances) {
    centres.push_back(
        {.median = Median(each), .mean = std::accumulate(each.begin(), each.end(), 0.0) / kDataSets});
  }
  return centres;
}

template <class Vary>
Panel Sweep(Panel panel, const std::vector<double>& values, Vary vary) {
  for (const LassoMethod& method : OnlineLassoMethods()) panel.series.push_back({.name = method.name});
  for (const double value : values) {
    Condition condition;
    vary(condition, value);
    const std::vector<Centre> distances = Distances(condition);
    for (size_t m = 0; m < distances.size(); ++m) panel.series[m].Add(value, distances[m].median);
  }
  panel.log_x = true;
  panel.log_y = true;
  panel.y_most = 100;
  panel.y_label = "(1/n)‖β exact − β online‖₁";
  return panel;
}

Table AtStepSizes() {
  Table table{.caption = "Distance over 20 data sets at ν = 1, λ/n = 1.25, by k0 (the paper: 50):",
              .columns = {"method"}};
  for (const LassoMethod& method : OnlineLassoMethods()) table.rows.push_back({.name = method.name});
  for (const int first : {10, 30, 50, 100, 200, 300}) {
    table.columns.push_back(fmt::format("median at {}", first));
    table.columns.push_back(fmt::format("mean at {}", first));
    const std::vector<Centre> distances = Distances({.options = {.first = double(first)}});
    for (size_t m = 0; m < distances.size(); ++m) {
      table.rows[m].values.push_back(distances[m].median);
      table.rows[m].values.push_back(distances[m].mean);
    }
  }
  return table;
}

Table Sensitivity(const std::vector<Panel>& panels) {
  Table table{
      .caption = "Largest median distance divided by the smallest, as k0, ν or λ/n varies as in the plots:",
      .columns = {"method", "k0", "ν", "λ/n"}};
  for (const LassoMethod& method : OnlineLassoMethods()) {
    Row row{.name = method.name};
    for (const Panel& panel : panels) {
      const auto [least, most] = std::ranges::minmax(panel.At(method.name).y);
      row.values.push_back(most / least);
    }
    table.rows.push_back(row);
  }
  return table;
}

}  // namespace

Report InteriorPointAccuracy(const Setting& setting) {
  Report report;
  const auto pick = [&](std::vector<double> quick, std::vector<double> full) {
    return setting.Pick(std::move(quick), std::move(full));
  };
  report.panels.push_back(Sweep({.title = "step sizes 1/(k0 + k)", .x_label = "k0"},
                                pick({20, 200}, {1, 2, 5, 10, 20, 30, 50, 70, 100, 150, 200, 300, 500, 1000}),
                                [](Condition& condition, double value) { condition.options.first = value; }));
  report.panels.push_back(Sweep({.title = "variance of the features", .x_label = "ν"},
                                pick({.5, 5}, {.1, .2, .5, 1, 1.5, 2, 3, 4, 5, 7, 10}),
                                [](Condition& condition, double value) { condition.scale = value; }));
  report.panels.push_back(
      Sweep({.title = "penalty", .x_label = "λ/n"}, pick({.1, 2}, {.01, .02, .05, .1, .2, .5, 1, 1.25, 2, 5}),
            [](Condition& condition, double value) { condition.options.penalty = value; }));
  report.tables = {AtStepSizes(), Sensitivity(report.panels)};
  return report;
}

}  // namespace thresher::reproduction
