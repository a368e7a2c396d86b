// Shalev-Shwartz & Zhang (2013), "SDCA vs. DCA: randomization is crucial": the same steps on examples drawn
// at random, in a new random order for each pass, and in turn; smoothed hinge, λ = 1e-4.
//
// In turn is in the order of the data. Where that is chance, taking turns is a random order, too, but always
// the same; so it is shown also for examples that stand class by class.
#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <vector>

#include "reproduction/dual_tasks.h"
#include "reproduction/runs.h"

namespace thresher::reproduction {
namespace {

constexpr double kLambda = 1e-4;  // the paper's

DataSet ClassByClass(const DataSet& data) {
  DataSet sorted;
  sorted.width = data.width;
  for (const float target : {-1.0F, 1.0F}) {
    for (size_t i = 0; i < data.size(); ++i) {
      if (data.targets[i] != target) continue;
      const DataSet::Line line = data[i];
      for (size_t k = 0; k < line.indices.size(); ++k) sorted.AddEntry(line.indices[k], line.values[k]);
      sorted.EndExample(target);
    }
  }
  return sorted;
}

// The first passes at which what is left is below `target`; not a number where it never is.
double PassesTo(const Series& series, double target) {
  for (size_t i = 0; i < series.y.size(); ++i) {
    if (series.y[i] <= target) return series.x[i];
  }
  return std::nan("");
}

}  // namespace

Report DualAscentOrder(const Setting& setting) {
  const DataSet data = DualData(setting);
  const DataSet sorted = ClassByClass(data);
  const Matrix matrix(data);
  const Matrix sorted_matrix(sorted);
  const double passes = setting.Pick(60, 60);
  const RunLimit limit = {.accesses = 2 * passes * static_cast<double>(data.entries())};
  Report report;
  Table table{
      .caption = "Passes until the duality gap is below 1e-6:",
      .columns = {"λ", "λn", "at random", "new order each pass", "in turn", "in turn, class by class"}};
  const auto n = static_cast<double>(data.size());
  for (const double lambda : {kLambda / 10, kLambda, kLambda * kExamplesOfCcat / n}) {
    Panel panel{.title = fmt::format("smoothed hinge, λ = {:.1e}", lambda),
                .x_label = "passes",
                .y_label = "duality gap",
                .log_y = true};
    const auto add = [&](const char* name, const Matrix& of, const char* order) {
      Trace trace =
          RunSolver("sdca", {{"loss", "smoothed-hinge"}, {"l2", fmt::format("{}", lambda)}, {"order", order}},
                    of, limit);
      Series gap{.name = name};
      for (size_t i = 0; i < trace.gap.x.size(); ++i) {
        gap.Add(trace.gap.x[i] / (2 * static_cast<double>(data.entries())), trace.gap.y[i]);
      }
      panel.series.push_back(std::move(gap));
    };
    add("at random", matrix, "sampled");
    add("new order each pass", matrix, "permuted");
    add("in turn", matrix, "cyclic");
    add("in turn, class by class", sorted_matrix, "cyclic");
    Row row{.name = fmt::format("{:.1e}", lambda), .values = {lambda * n}};
    for (const Series& series : panel.series) row.values.push_back(PassesTo(series, 1e-6));
    report.panels.push_back(panel);
    table.rows.push_back(row);
  }
  report.tables = {table};
  return report;
}

}  // namespace thresher::reproduction
