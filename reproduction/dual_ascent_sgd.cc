// Shalev-Shwartz & Zhang (2013), "SDCA vs. SGD": sub-optimality over passes at λ = 1e-6, smoothed hinge and
// hinge.
#include <fmt/format.h>

#include "reproduction/dual_tasks.h"
#include "reproduction/runs.h"

namespace thresher::reproduction {
namespace {

constexpr double kLambdaOfSgd = 1e-6;  // as in the paper

}  // namespace

Report DualAscentSgd(const Setting& setting) {
  const DataSet data = DualData(setting);
  const Matrix matrix(data);
  const double passes = setting.Pick(10, 50);
  const RunLimit limit = {.accesses = 2 * passes * static_cast<double>(data.entries())};
  Report report;
  Table table{.caption = fmt::format(
                  "Distance from the optimum after 5 and after {} passes; SGD's step is 1/(λt):", passes),
              .columns = {"loss, λ", "λn", "SDCA, after 5 passes", "SGD, after 5", "SDCA, at the end",
                          "SGD, at the end"}};
  const auto n = static_cast<double>(data.size());
  for (const double lambda : {kLambdaOfSgd, kLambdaOfSgd * kExamplesOfCcat / n}) {
    for (const char* const loss : {"smoothed-hinge", "hinge"}) {
      const learners::OptionValues options = {{"loss", loss}, {"l2", fmt::format("{}", lambda)}};
      const double optimum = Optimum(matrix, options, data.entries());
      const std::string title = fmt::format("{}, λ = {:.1e}", loss, lambda);
      Panel panel{.title = title, .x_label = "passes", .y_label = "P(w) − P(w*)", .log_y = true};
      Row row{.name = title, .values = {lambda * n}};
      Trace sgd = RunSolver("sgd", options, matrix, limit);
      sgd.Named("SGD");
      for (const Trace& trace : {RunSdca(options, matrix, limit), sgd}) {
        panel.series.push_back(Suboptimality(trace, optimum, data.entries()));
      }
      for (const Series& series : panel.series) row.values.push_back(ValueAt(series, 5));
      for (const Series& series : panel.series) row.values.push_back(series.y.back());
      report.panels.push_back(panel);
      table.rows.push_back(row);
    }
  }
  report.tables = {table};
  return report;
}

}  // namespace thresher::reproduction
