// Shalev-Shwartz & Tewari (2009), Section 1: coordinate descent with l ≤ w_j ≤ u, and its use for the dual of
// the support vector machine.
//
// The proof of Theorem 1 holds for any box: after T draws of 2d coordinates the expected distance of SCD as
// printed is at most d(β‖w*‖² + 2)/T, with β = ¼ and P(0) ≤ 1. The dual of a support vector machine,
//   min R(α) = ‖Σ α_i y_i x_i‖²/(2λn²) − (1/n) Σ α_i     over 0 ≤ α_i ≤ 1,
// has the curvature ‖x_i‖²/(λn²) along each α_i, which is one for all if ‖x_i‖ = 1. Then Algorithm 1 is sdca
// with random draws, and the theorem, with ‖α*‖² ≤ n, bounds R − R* by (1/(2λ) + n(R(0) − R*))/T.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "reproduction/batch_run.h"
#include "reproduction/runs.h"
#include "reproduction/sets/readers.h"
#include "reproduction/sets/synthetic_text.h"

namespace thresher::reproduction {
namespace {

using learners::OptionValues;

struct WeightBox {
  const char* name;
  OptionValues options;
};

const WeightBox kWeightBoxes[] = {
    {"none", {}}, {"w ≤ 0", {{"upper", "0"}}}, {"−½ ≤ w ≤ ½", {{"lower", "-0.5"}, {"upper", "0.5"}}}};

struct BoxTask {
  std::string name;
  const DataSet& data;
  double lambda;
  double passes;  // a pass is two accesses to each entry
};

OptionValues Joined(OptionValues options, const OptionValues& more) {
  options.insert(more.begin(), more.end());
  return options;
}

double NormOf(const std::vector<double>& weights) {
  double sum = 0;
  for (const double w : weights) sum += w * w;
  return sum;
}

void AddBox(Report* report, const BoxTask& task, const Matrix& matrix, const WeightBox& box) {
  const RunLimit limit = {.accesses = 2 * task.passes * static_cast<double>(task.data.entries())};
  const std::string l1 = fmt::format("{}", task.lambda);
  const Trace best = RunSolver("scd", Joined({{"l1", l1}}, box.options), matrix,
                               {.accesses = 1e12, .gap = 1e-9, .points = 1});
  const double minimum = best.objective.y.back() - best.gap.y.back();
  std::vector<Trace> traces;
  for (const auto& [bound, suffix] : {std::pair(CurvatureBound::kOne, "as printed"),
                                      std::pair(CurvatureBound::kOfColumn, "column steps")}) {
    traces.push_back(RunSolver("scd", Joined(ScdAsDrawn(bound, task.lambda), box.options), matrix, limit)
                         .Named(fmt::format("SCD, {}", suffix)));
    traces.push_back(RunSolver("detcd", Joined(DetCdOptions(bound, task.lambda), box.options), matrix, limit)
                         .Named(fmt::format("DetCD, {}", suffix)));
  }
  traces.push_back(RunSolver("scd", Joined({{"l1", l1}, {"screening", "off"}}, box.options), matrix, limit)
                       .Named("SCD, our steps"));

  const auto d = static_cast<double>(task.data.width);
  const double draws = 2 * d * ValueAt(traces.front().epochs, 1.01 * limit.accesses);
  Row row = {.name = fmt::format("{}, {}", task.name, box.name),
             .values = {minimum, static_cast<double>(best.nonzeros.y.back())}};
  Panel panel = {.title = row.name, .x_label = "data accesses", .y_label = "P(w) − P(w*)", .log_y = true};
  for (Trace& trace : traces) {
    for (double& y : trace.objective.y) y = std::max(0.0, y - minimum);
    row.values.push_back(ValueAt(trace.objective, 1.01 * limit.accesses));
    panel.series.push_back(std::move(trace.objective));
  }
  row.values.push_back(d * (NormOf(best.weights) / 4 + 2) / draws);
  report->tables.front().rows.push_back(std::move(row));
  report->panels.push_back(std::move(panel));
}

// −R, as the dual is usually written, is the objective minus the gap.
void AddDual(Report* report, const BoxTask& task, const Matrix& matrix) {
  const auto n = static_cast<double>(task.data.size());
  const OptionValues options = {{"loss", "hinge"},
                                {"l1", "0"},
                                {"l2", fmt::format("{}", task.lambda)},
                                {"order", "sampled"},
                                {"shrinking", "off"}};
  const Trace best = RunSolver("sdca", Joined({{"loss", "hinge"}}, {{"l2", options.at("l2")}}), matrix,
                               {.accesses = 1e12, .gap = 1e-8, .points = 1});
  const double maximum = best.objective.y.back();  // P ≥ the maximum of −R, so no distance is too small
  const RunLimit limit = {.accesses = 4 * task.passes * static_cast<double>(task.data.entries()),
                          .points = 100'000};
  const Trace trace = RunSolver("sdca", options, matrix, limit);
  Series run = {.name = "SCD in the dual"};
  Series bound = {.name = "Theorem 1"};
  double row_at = 1;
  for (size_t k = 1; k < trace.objective.y.size(); ++k) {
    const double epochs = trace.epochs.y[k];
    if (epochs > task.passes) break;
    const double draws = n * epochs;
    run.Add(draws, maximum - (trace.objective.y[k] - trace.gap.y[k]));
    bound.Add(draws, (1 / (2 * task.lambda) + n * maximum) / draws);
    if (epochs < row_at) continue;
    report->tables.back().rows.push_back(
        {.name = task.name, .values = {draws, run.y.back(), bound.y.back(), trace.gap.y[k]}});
    row_at *= 10;
  }
  report->panels.push_back({.title = task.name + ", dual of the SVM",
                            .x_label = "draws",
                            .y_label = "R(α) − R(α*)",
                            .log_x = true,
                            .log_y = true,
                            .series = {run, bound}});
}

void AddBoxTask(Report* report, const BoxTask& task) {
  const Matrix matrix(task.data);
  for (const WeightBox& box : kWeightBoxes) AddBox(report, task, matrix, box);
  AddDual(report, task, matrix);
}

}  // namespace

Report CoordinateDescentBox(const Setting& setting) {
  Report report;
  const auto passes = setting.Pick(20.0, 100.0);
  report.tables = {
      {.caption = fmt::format("P(w) − P(w*), logistic loss, λ = 1e-4, after {} passes:", passes),
       .columns = {"set, box", "P(w*)", "non-zero weights at w*", "SCD, as printed", "DetCD, as printed",
                   "SCD, column steps", "DetCD, column steps", "SCD, our steps", "bound of SCD, as printed"}},
      {.caption = "The dual of the SVM, λ = 1e-4, T draws of an example:",
       .columns = {"set", "T", "R(α) − R(α*)", "bound", "duality gap"}}};
  constexpr double kLambda = 1e-4;
  if (setting.size == Size::kQuick) {
    DataSet data = MakeSyntheticText({.examples = 200, .width = 100, .features = 20}, 1);
    NormaliseExamples(&data);
    AddBoxTask(&report, {"synthetic", data, kLambda, passes});
    return report;
  }
  for (const char* const name : {"a9a", "w8a"}) {
    const DataSet data = ReadLibsvm(setting.sets, std::string(name) + ".xz");
    AddBoxTask(&report, {name, data, kLambda, passes});
  }
  return report;
}

}  // namespace thresher::reproduction
