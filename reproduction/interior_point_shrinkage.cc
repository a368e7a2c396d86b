// Carbonetto, Schmidt & de Freitas (2008), Fig. 4: the coefficients as functions of the penalty, exact and
// after one and ten passes of the interior-point method.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "reproduction/experiments.h"
#include "reproduction/lasso_methods.h"
#include "reproduction/runs.h"

namespace thresher::reproduction {
namespace {

constexpr std::array<double, 8> kTrueBeta = {0, 0, 2, -4, 0, 0, -1, 3};
constexpr size_t kShrinkageExamples = 100;

std::vector<double> Penalties(size_t count) {
  std::vector<double> penalties;
  for (size_t i = 0; i < count; ++i) {
    penalties.push_back(std::pow(10, -2 + 3 * static_cast<double>(i) / static_cast<double>(count - 1)));
  }
  return penalties;
}

template <class Solve>
Panel Paths(const std::string& title, const std::vector<double>& penalties, Solve solve) {
  Panel panel{.title = title, .x_label = "λ/n", .y_label = "coefficient", .log_x = true};
  for (size_t j = 0; j < kTrueBeta.size(); ++j) {
    panel.series.push_back({.name = fmt::format("β{} = {}", j + 1, kTrueBeta[j])});
  }
  for (const double penalty : penalties) {
    const std::vector<double> beta = solve(penalty);
    for (size_t j = 0; j < beta.size(); ++j) panel.series[j].Add(penalty, beta[j]);
  }
  return panel;
}

// Means over all penalties: the distance from the exact coefficients, and the size where those are zero.
Row Deviation(const Panel& exact, const Panel& panel) {
  double sum = 0;
  double count = 0;
  double zeros = 0;
  double at_zeros = 0;
  for (size_t j = 0; j < exact.series.size(); ++j) {
    for (size_t i = 0; i < exact.series[j].y.size(); ++i) {
      const double beta = exact.series[j].y[i];
      sum += std::abs(panel.series[j].y[i] - beta);
      count += 1;
      if (beta != 0) continue;
      zeros += 1;
      at_zeros += std::abs(panel.series[j].y[i]);
    }
  }
  return {.name = panel.title, .values = {sum / count, at_zeros / zeros}};
}

}  // namespace

Report InteriorPointShrinkage(const Setting& setting) {
  const Regression data = SimulateRegression(kTrueBeta, kShrinkageExamples, 1, 1);
  const LassoMethod& interior_point = OnlineLassoMethods().front();
  const std::vector<double> penalties = Penalties(setting.Pick<size_t>(5, 40));
  Report report;
  report.panels.push_back(
      Paths("exact", penalties, [&](double penalty) { return ExactLasso(data, penalty); }));
  using enum learners::Schedule::Kind;
  for (const auto& [falls, suffix] : {std::pair(kConstant, ""), std::pair(kInverse, ", σ_k → 0")}) {
    for (const int passes : {1, 10, 100}) {
      const OnlineOptions options = {.passes = passes, .centering = falls};
      report.panels.push_back(Paths(fmt::format("after {} pass{}{}", passes, passes == 1 ? "" : "es", suffix),
                                    penalties, [&, options](double penalty) {
                                      OnlineOptions at = options;
                                      at.penalty = penalty;
                                      return interior_point.run(data, at);
                                    }));
    }
  }
  Table table{.caption = "Mean over penalties and coefficients:",
              .columns = {"interior point", "distance from exact", "size where exact is 0"}};
  for (size_t i = 1; i < report.panels.size(); ++i) {
    table.rows.push_back(Deviation(report.panels[0], report.panels[i]));
  }
  report.tables = {table};
  return report;
}

}  // namespace thresher::reproduction
