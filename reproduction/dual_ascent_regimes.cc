// Shalev-Shwartz & Zhang (2013), the table of SDCA, ASDCA with batches of m and accelerated gradient descent
// in three regimes, γλn = 1/m, 1 and m, smoothed hinge, γ = 1.
//
//            γλn = 1/m   γλn = 1   γλn = m
//   SDCA     nm          n         n           steps on one example
//   ASDCA    n           n/√m      n/m         steps on m examples
//   AGD      √(nm)       √n        √(n/m)      steps on all
#include <fmt/format.h>

#include <array>
#include <cmath>
#include <string>

#include "reproduction/dual_tasks.h"
#include "reproduction/runs.h"

namespace thresher::reproduction {
namespace {

constexpr double kTarget = 1e-3;

// Epochs until the objective is near the optimum; not a number if it never is.
double EpochsTo(const Trace& trace, double optimum) {
  for (size_t k = 0; k < trace.objective.y.size(); ++k) {
    if (trace.objective.y[k] - optimum <= kTarget) return trace.epochs.y[k];
  }
  return std::nan("");
}

struct Regime {
  const char* name;
  double n_lambda;                  // γλn
  double passes;                    // most passes
  std::array<double, 3> predicted;  // steps of the three methods
};

}  // namespace

Report DualAscentRegimes(const Setting& setting) {
  const DataSet data = DualData(setting);
  const Matrix matrix(data);
  const auto n = static_cast<double>(data.size());
  const double m = setting.Pick(30, 100);
  const std::array<Regime, 3> regimes = {
      {{"γλn = 1/m", 1 / m, setting.Pick(1000.0, 1500.0), {n * m, n, std::sqrt(n * m)}},
       {"γλn = 1", 1, 300, {n, n / std::sqrt(m), std::sqrt(n)}},
       {"γλn = m", m, 100, {n, n / m, std::sqrt(n / m)}}}};
  Report report;
  Table table{.caption = fmt::format("n = {}, m = {}, γ = 1. Until P(w) − P(w*) is below {:.0e}; order: what "
                                     "the paper's table has, which leaves out constants and logarithms:",
                                     n, m, kTarget),
              .columns = {"regime, method", "epochs", "steps", "order", "steps/order"}};
  for (const Regime& regime : regimes) {
    const learners::OptionValues options = {{"loss", "smoothed-hinge"},
                                            {"l2", fmt::format("{}", regime.n_lambda / n)}};
    const double optimum = Optimum(matrix, options, data.entries());
    const RunLimit limit = {.accesses = 2 * regime.passes * static_cast<double>(data.entries()),
                            .gap = kTarget / 10,
                            .points = 1'000'000};
    Panel panel{
        .title = regime.name, .x_label = "passes", .y_label = "P(w) − P(w*)", .log_x = true, .log_y = true};
    const auto add = [&](const char* name, Trace trace, double per_epoch, double predicted) {
      trace.Named(name);
      const double epochs = EpochsTo(trace, optimum);
      table.rows.push_back(
          {.name = fmt::format("{}, {}", regime.name, name),
           .values = {epochs, epochs * per_epoch, predicted, epochs * per_epoch / predicted}});
      panel.series.push_back(Suboptimality(trace, optimum, data.entries()));
    };
    add("SDCA", RunSdca(options, matrix, limit), n, regime.predicted[0]);
    learners::OptionValues with_batch = options;
    with_batch["batch"] = fmt::format("{}", m);
    add("ASDCA", RunSolver("asdca", with_batch, matrix, limit), std::ceil(n / m), regime.predicted[1]);
    add("AGD", RunSolver("agd", options, matrix, limit), 1, regime.predicted[2]);
    report.panels.push_back(panel);
  }
  report.tables = {table};
  return report;
}

}  // namespace thresher::reproduction
