// Shalev-Shwartz & Zhang (2013), "ℓ1 regularization": the table of run times, at equal data accesses.
//
// All methods are to minimise (1/n) Σ φ_i(⟨w,x_i⟩) + σ‖w‖₁, logistic loss. Prox-SDCA minimises it with
// (λ/2)‖w‖² added: a small λ costs passes, a large one leaves it away from the minimum. Stochastic gradient
// descent is truncated gradient.
#include <fmt/format.h>

#include <cmath>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "reproduction/dual_tasks.h"
#include "reproduction/runs.h"
#include "reproduction/sets/readers.h"
#include "reproduction/sets/synthetic_text.h"

namespace thresher::reproduction {
namespace {

struct L1Task {
  std::string name;
  const DataSet& data;
  double passes;  // a pass is two accesses to each entry
  double sigma;
};

// The objective over passes, without the ℓ2 part, whatever the solver minimises.
Series L1Progress(const L1Task& task, const Matrix& matrix, std::string_view solver,
                  const learners::OptionValues& options) {
  auto made = learners::batch::MakeSolver(solver, options, matrix.examples(), 1,
                                          [](const auto& body) { body(0, 1); });
  if (!made) throw std::invalid_argument(made.error());
  Series series{.name = std::string(solver)};
  const double pass = 2 * static_cast<double>(task.data.entries());
  double passes = 0;
  while (passes < task.passes) {
    (*made)->Step();
    passes = static_cast<double>((*made)->Report().data_accesses) / pass;
    const auto weights = (*made)->Weights();
    series.Add(passes, L1LogisticObjective(task.data, {weights.begin(), weights.end()}, task.sigma));
  }
  return series;
}

Series TruncatedProgress(const L1Task& task, double size) {
  const double pass = 2 * static_cast<double>(task.data.entries());
  Trace trace = RunLearner("truncated-gradient",
                           {{"gravity", fmt::format("{}", task.sigma)},
                            {"learning_rate", fmt::format("{}", size)},
                            {"schedule", "inverse-sqrt"},
                            {"schedule_horizon", fmt::format("{}", task.data.size())}},
                           task.data, task.sigma, {.accesses = task.passes * pass, .points = 200});
  for (double& x : trace.objective.x) x /= pass;
  return std::move(trace.objective);
}

// The first x at which the series is at most `level`; not a number if it never is.
double FirstAtMost(const Series& series, double level) {
  for (size_t k = 0; k < series.y.size(); ++k) {
    if (series.y[k] <= level) return series.x[k];
  }
  return std::nan("");
}

struct Reached {
  double passes = std::nan("");
  double parameter = std::nan("");  // λ or η
};

// Of several runs, the one that is there first.
Reached Soonest(const std::vector<std::pair<double, Series>>& runs, double level) {
  Reached best;
  for (const auto& [parameter, series] : runs) {
    const double passes = FirstAtMost(series, level);
    if (!std::isnan(passes) && !(passes >= best.passes)) best = {passes, parameter};
  }
  return best;
}

void AddL1Task(const L1Task& task, const std::vector<double>& distances, Report* report) {
  const Matrix matrix(task.data);
  const std::string sigma = fmt::format("{}", task.sigma);
  const Trace exact = RunSolver("prox-newton", {{"l1", sigma}}, matrix,
                                {.accesses = 1e5 * static_cast<double>(task.data.entries()), .gap = 1e-9});
  const double optimum = exact.objective.y.back();
  std::vector<std::pair<double, Series>> dual;
  for (const double lambda : {1e-4, 1e-5, 1e-6, 1e-7}) {
    dual.emplace_back(lambda,
                      L1Progress(task, matrix, "sdca", {{"l1", sigma}, {"l2", fmt::format("{}", lambda)}}));
  }
  std::vector<std::pair<double, Series>> gradient;
  for (const double size : {0.03, 0.1, 0.3, 1.0, 3.0, 10.0})
    gradient.emplace_back(size, TruncatedProgress(task, size));
  const std::vector<std::pair<const char*, Series>> others = {
      {"FISTA", L1Progress(task, matrix, "fista", {{"l1", sigma}})},
      {"SCD, as printed", L1Progress(task, matrix, "scd",
                                     {{"l1", sigma},
                                      {"form", "split"},
                                      {"step", "bound"},
                                      {"support_passes", "0"},
                                      {"order", "sampled"},
                                      {"screening", "off"}})},
      {"SCD, our steps", L1Progress(task, matrix, "scd", {{"l1", sigma}, {"screening", "off"}})}};
  Panel panel{.title = task.name, .x_label = "passes", .y_label = "P(w) − P(w*)", .log_y = true};
  const auto draw = [&](const std::string& name, Series series) {
    series.name = name;
    for (double& y : series.y) y -= optimum;
    panel.series.push_back(std::move(series));
  };
  for (const auto& [lambda, series] : dual) draw(fmt::format("Prox-SDCA, λ = {:.0e}", lambda), series);
  for (const auto& [name, series] : others) draw(name, series);
  for (const double distance : distances) {
    Row row{.name = fmt::format("{}, {:.0e}", task.name, distance)};
    for (const auto* runs : {&dual, &gradient}) {
      const Reached reached = Soonest(*runs, optimum + distance);
      row.values.push_back(reached.passes);
      row.values.push_back(reached.parameter);
    }
    for (const auto& [name, series] : others) row.values.push_back(FirstAtMost(series, optimum + distance));
    report->tables.front().rows.push_back(std::move(row));
  }
  report->panels.push_back(std::move(panel));
}

}  // namespace

Report DualAscentL1(const Setting& setting) {
  Report report;
  const double passes = 100;
  const double sigma = setting.Pick(1e-3, 1e-4);
  report.tables = {
      {.caption = fmt::format("Passes until the objective, σ = {:.0e}, without ℓ2, is within the "
                              "distance of its minimum; at most {} passes. λ of Prox-SDCA and η "
                              "of SGD are those that are there first:",
                              sigma, passes),
       .columns = {"set, distance", "Prox-SDCA", "its λ", "SGD", "its η", "FISTA", "SCD, as printed",
                   "SCD, our steps"}}};
  const std::vector<double> distances = {1e-2, 1e-3, 1e-4};
  if (setting.size == Size::kQuick) {
    DataSet data = MakeSyntheticText({.examples = 300, .width = 200, .features = 20}, 1);
    NormaliseExamples(&data);
    AddL1Task({"synthetic", data, passes, sigma}, distances, &report);
    return report;
  }
  for (const char* const name : {"a9a", "w8a"}) {
    const DataSet data = ReadLibsvm(setting.sets, std::string(name) + ".xz");
    AddL1Task({name, data, passes, sigma}, distances, &report);
  }
  const DataSet posts = DualData(setting);
  AddL1Task({"20 newsgroups", posts, passes, sigma}, distances, &report);
  return report;
}

}  // namespace thresher::reproduction
