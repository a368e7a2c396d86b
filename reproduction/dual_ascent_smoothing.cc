// Shalev-Shwartz & Zhang (2013), "Smoothing the hinge-loss": the duality gap over passes, and the errors on
// held-out examples, for several γ. γ = 0 is the hinge loss.
#include <fmt/format.h>

#include <cmath>
#include <vector>

#include "reproduction/dual_tasks.h"
#include "reproduction/runs.h"

namespace thresher::reproduction {
namespace {

// Examples begin … end − 1.
DataSet Part(const DataSet& data, size_t begin, size_t end) {
  DataSet part;
  part.width = data.width;
  for (size_t i = begin; i < end; ++i) {
    const DataSet::Line line = data[i];
    for (size_t k = 0; k < line.indices.size(); ++k) part.AddEntry(line.indices[k], line.values[k]);
    part.EndExample(data.targets[i]);
  }
  return part;
}

double ErrorPercent(const DataSet& data, const std::vector<double>& weights) {
  double errors = 0;
  for (size_t i = 0; i < data.size(); ++i) {
    const DataSet::Line x = data[i];
    double margin = 0;
    for (size_t k = 0; k < x.indices.size(); ++k) {
      margin += weights[x.indices[k]] * static_cast<double>(x.values[k]);
    }
    errors += margin * static_cast<double>(data.targets[i]) <= 0 ? 1 : 0;
  }
  return 100 * errors / static_cast<double>(data.size());
}

}  // namespace

Report DualAscentSmoothing(const Setting& setting) {
  const DataSet all = DualData(setting);
  const DataSet train = Part(all, 0, all.size() * 2 / 3);
  const DataSet test = Part(all, train.size(), all.size());
  const Matrix matrix(train);
  const double lambda = 1 / static_cast<double>(train.size());
  const RunLimit limit = {.accesses = 2 * setting.Pick(100.0, 200.0) * static_cast<double>(train.entries()),
                          .gap = 1e-8,
                          .points = 400};
  Panel panel{.title = fmt::format("λ = 1/n = {:.1e}", lambda),
              .x_label = "passes",
              .y_label = "duality gap",
              .log_y = true};
  Table table{.caption = fmt::format("{} examples, {} held out:", train.size(), test.size()),
              .columns = {"γ", "errors on held-out examples, %", "passes to a gap of 1e-4"}};
  for (const double gamma : {0.0, 0.01, 0.1, 1.0}) {
    learners::OptionValues options = {{"l2", fmt::format("{}", lambda)}, {"loss", "hinge"}};
    if (gamma > 0)
      options = {
          {"l2", fmt::format("{}", lambda)}, {"loss", "smoothed-hinge"}, {"gamma", fmt::format("{}", gamma)}};
    const Trace trace = RunSdca(options, matrix, limit);
    Series gap{.name = fmt::format("γ = {}", gamma)};
    double reached = std::nan("");
    for (size_t i = 0; i < trace.gap.x.size(); ++i) {
      gap.Add(trace.gap.x[i] / (2 * static_cast<double>(train.entries())), trace.gap.y[i]);
      if (std::isnan(reached) && trace.gap.y[i] <= 1e-4) reached = gap.x.back();
    }
    panel.series.push_back(gap);
    table.rows.push_back(
        {.name = fmt::format("{}", gamma), .values = {ErrorPercent(test, trace.weights), reached}});
  }
  return {.panels = {panel}, .tables = {table}};
}

}  // namespace thresher::reproduction
