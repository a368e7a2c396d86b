// Shalev-Shwartz & Zhang (2013), "SDCA vs. DCA: randomization is crucial": the same steps on examples drawn
// at random, in a new random order for each pass, and in turn; smoothed hinge, λ = 1e-4.
//
// "In turn" means in the order of the data set. If that order is random, each pass uses the same random
// order. Therefore the experiment also uses examples that are sorted by class.
#include <fmt/format.h>

#include <cmath>
#include <string>
#include <vector>

#include "reproduction/dual_tasks.h"
#include "reproduction/runs.h"
#include "reproduction/sets/readers.h"

namespace thresher::reproduction {
namespace {

constexpr double kLambda = 1e-4;  // as in the paper

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

// The passes after which the series is first at most `target`; not a number if it never is.
double PassesTo(const Series& series, double target) {
  for (size_t i = 0; i < series.y.size(); ++i) {
    if (series.y[i] <= target) return series.x[i];
  }
  return std::nan("");
}

class OrderReport {
 public:
  explicit OrderReport(double passes) : passes_(passes) {}

  void AddSet(const std::string& name, const DataSet& data, const std::vector<double>& lambdas) {
    const DataSet sorted = ClassByClass(data);
    const Matrix matrix(data);
    const Matrix sorted_matrix(sorted);
    for (const double lambda : lambdas) {
      const std::string title = fmt::format("{}, λ = {:.1e}", name, lambda);
      Panel panel{.title = title, .x_label = "passes", .y_label = "duality gap", .log_y = true};
      panel.series = {Run("at random", matrix, data, lambda, "sampled"),
                      Run("new order each pass", matrix, data, lambda, "permuted"),
                      Run("in turn", matrix, data, lambda, "cyclic"),
                      Run("in turn, class by class", sorted_matrix, data, lambda, "cyclic")};
      Row row{.name = title, .values = {lambda * static_cast<double>(data.size())}};
      for (const Series& series : panel.series) row.values.push_back(PassesTo(series, 1e-6));
      report_.panels.push_back(panel);
      table_.rows.push_back(row);
    }
  }

  Report Finish() {
    table_.caption = fmt::format("Passes until the duality gap is below 1e-6, at most {}:", passes_);
    report_.tables = {table_};
    return report_;
  }

 private:
  // The duality gap over passes.
  Series Run(const char* name, const Matrix& matrix, const DataSet& data, double lambda,
             const char* order) const {
    const double per_pass = 2 * static_cast<double>(data.entries());
    const learners::OptionValues options = {
        {"loss", "smoothed-hinge"}, {"l2", fmt::format("{}", lambda)}, {"order", order}};
    const Trace trace = RunSdca(options, matrix, {.accesses = passes_ * per_pass});
    Series gap{.name = name};
    for (size_t i = 0; i < trace.gap.x.size(); ++i) gap.Add(trace.gap.x[i] / per_pass, trace.gap.y[i]);
    return gap;
  }

  double passes_;
  Report report_;
  Table table_ = {
      .columns = {"set", "λn", "at random", "new order each pass", "in turn", "in turn, class by class"}};
};

}  // namespace

Report DualAscentOrder(const Setting& setting) {
  OrderReport report(60);
  const DataSet text = DualData(setting);
  if (setting.size == Size::kQuick) {
    report.AddSet("synthetic", text, {kLambda});
    return report.Finish();
  }
  const double with_their_product = kLambda * kExamplesOfCcat / static_cast<double>(text.size());
  report.AddSet("20 newsgroups", text, {kLambda, with_their_product});
  report.AddSet("a9a", ReadLibsvm(setting.sets, "a9a.xz"), {kLambda, kLambda / 10});
  report.AddSet("w8a", ReadLibsvm(setting.sets, "w8a.xz"), {kLambda, kLambda / 10});
  return report.Finish();
}

}  // namespace thresher::reproduction
