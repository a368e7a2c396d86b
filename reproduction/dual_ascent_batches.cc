// Shalev-Shwartz & Zhang (2013), accelerated mini-batches: ASDCA with batches of m examples against SDCA and
// accelerated gradient descent at λ = 1/n, smoothed hinge.
//
// The paper's claim: over passes, ASDCA lies between the other two. It needs fewer steps than SDCA, whose
// steps use one example; m workers can share one step of ASDCA.
#include <fmt/format.h>

#include <cmath>
#include <vector>

#include "reproduction/dual_tasks.h"
#include "reproduction/runs.h"

namespace thresher::reproduction {
namespace {

// The same values over steps, `per_epoch` of them in each epoch.
Series OverSteps(const Trace& trace, double optimum, double per_epoch) {
  Series series{.name = trace.objective.name};
  for (size_t i = 0; i < trace.objective.x.size(); ++i) {
    series.Add(trace.epochs.y[i] * per_epoch, trace.objective.y[i] - optimum);
  }
  return series;
}

double FirstBelow(const Series& series, double target) {
  for (size_t i = 0; i < series.y.size(); ++i) {
    if (series.y[i] <= target) return series.x[i];
  }
  return std::nan("");
}

}  // namespace

Report DualAscentBatches(const Setting& setting) {
  const DataSet data = DualData(setting);
  const Matrix matrix(data);
  const auto n = static_cast<double>(data.size());
  const double passes = setting.Pick(100, 200);
  const RunLimit limit = {.accesses = 2 * passes * static_cast<double>(data.entries()), .points = 400};
  const learners::OptionValues options = {{"loss", "smoothed-hinge"}, {"l2", fmt::format("{}", 1 / n)}};
  const double optimum = Optimum(matrix, options, data.entries());

  Panel over_passes{
      .title = "over passes", .x_label = "passes", .y_label = "P(w) − P(w*)", .log_x = true, .log_y = true};
  Panel over_steps{
      .title = "over steps", .x_label = "steps", .y_label = "P(w) − P(w*)", .log_x = true, .log_y = true};
  Table table{.caption = fmt::format("λ = 1/n, n = {}. Until P(w) − P(w*) is below 1e-3:", n),
              .columns = {"method", "passes", "steps"}};
  const auto add = [&](const std::string& name, Trace trace, double per_epoch) {
    trace.Named(name);
    over_passes.series.push_back(Suboptimality(trace, optimum, data.entries()));
    over_steps.series.push_back(OverSteps(trace, optimum, per_epoch));
    table.rows.push_back({.name = name,
                          .values = {FirstBelow(over_passes.series.back(), 1e-3),
                                     FirstBelow(over_steps.series.back(), 1e-3)}});
  };
  add("SDCA", RunSdca(options, matrix, limit), n);
  for (const double batch : setting.Pick<std::vector<double>>({100}, {10, 100, 1000})) {
    learners::OptionValues with_batch = options;
    with_batch["batch"] = fmt::format("{}", batch);
    add(fmt::format("ASDCA, m = {}", batch), RunSolver("asdca", with_batch, matrix, limit),
        std::ceil(n / batch));
  }
  add("AGD", RunSolver("agd", options, matrix, limit), 1);
  return {.panels = {over_passes, over_steps}, .tables = {table}};
}

}  // namespace thresher::reproduction
