// Shalev-Shwartz & Zhang (2013), "Dual vs. Primal sub-optimality": data that a vector w0 separates with
// margin 1, the hinge, and λ = 2ε/‖w0‖². Then D(α*) − D(0) = P(w*) ≤ P(w0) = ε: the dual is solved to ε
// before the first step. But P(w(0)) − P(w*) ≥ 1 − ε. A bound on the dual alone says nothing of the primal.
#include <fmt/format.h>

#include <cmath>
#include <random>
#include <string>
#include <vector>

#include "reproduction/dual_tasks.h"
#include "reproduction/runs.h"

namespace thresher::reproduction {
namespace {

// ⟨w0, x⟩ is ±1 or farther from 0 for the unit vector w0 = (1, 0, …, 0).
DataSet Separable(size_t examples, uint32_t width) {
  std::mt19937_64 random(1);
  std::normal_distribution<double> normal;
  DataSet data;
  data.width = width;
  for (size_t i = 0; i < examples; ++i) {
    const double label = random() % 2 == 0 ? 1 : -1;
    data.AddEntry(0, static_cast<float>(label * (1 + std::abs(normal(random)))));
    for (uint32_t j = 1; j < width; ++j) data.AddEntry(j, static_cast<float>(normal(random)));
    data.EndExample(static_cast<float>(label));
  }
  return data;
}

}  // namespace

Report DualAscentExample(const Setting& setting) {
  const DataSet data = Separable(setting.Pick<size_t>(200, 1000), 50);
  const Matrix matrix(data);
  Report report;
  Table table{.caption = fmt::format("Separable data, n = {}, the hinge, λ = 2ε; distances from the optimum:",
                                     data.size()),
              .columns = {"ε", "dual, at 0", "primal, at 0", "dual, after a pass", "primal, after a pass"}};
  for (const double epsilon : {1e-1, 1e-2, 1e-3}) {
    const learners::OptionValues options = {
        {"loss", "hinge"}, {"l2", fmt::format("{}", 2 * epsilon)}, {"order", "sampled"}};
    const double optimum = Optimum(matrix, options, data.entries());
    const Trace trace =
        RunSdca(options, matrix, {.accesses = 60 * static_cast<double>(data.entries()), .points = 1000});
    const std::string title = fmt::format("ε = {:.0e}", epsilon);
    Panel panel{.title = title, .x_label = "passes", .y_label = "distance from the optimum", .log_y = true};
    Series primal{.name = "P(w) − P(w*)"};
    Series dual{.name = "D(α*) − D(α)"};
    for (size_t k = 0; k < trace.objective.y.size(); ++k) {
      primal.Add(trace.epochs.y[k], trace.objective.y[k] - optimum);
      dual.Add(trace.epochs.y[k], optimum - (trace.objective.y[k] - trace.gap.y[k]));
    }
    table.rows.push_back(
        {.name = fmt::format("{:.0e}", epsilon), .values = {dual.y[0], primal.y[0], dual.y[1], primal.y[1]}});
    panel.series = {primal, dual};
    report.panels.push_back(panel);
  }
  report.tables = {table};
  return report;
}

}  // namespace thresher::reproduction
