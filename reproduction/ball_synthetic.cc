// Duchi, Shalev-Shwartz, Singer & Chandra (2008), Fig. 4 and 5: least squares and logistic regression on
// random dense data with n = 800 and n = 4000 features, and as many examples.
//
// As in the paper, coordinate descent and the interior-point method minimise L(w) + λ‖w‖₁. The other methods
// minimise L(w) within the ball whose radius is the ℓ1 norm of that minimum. Each method is shown by its
// distance from its own minimum. The paper does not state λ; here it is a tenth of the least λ that gives w =
// 0. The paper counts floating-point operations; here the numbers that a method reads are counted: entries of
// x, and all weights in a step that changes them all. There are two operations for each number read.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "reproduction/ball_rivals.h"
#include "reproduction/barrier_newton.h"
#include "reproduction/batch_run.h"
#include "reproduction/runs.h"
#include "reproduction/step_sizes.h"

namespace thresher::reproduction {
namespace {

using learners::batch::MarginLoss;

enum class Task { kLeastSquares, kLogistic };

DataSet DenseData(Task task, uint32_t n) {
  std::mt19937_64 random(1);
  std::normal_distribution<double> normal;
  std::vector<double> hidden(n);
  for (double& weight : hidden) weight = random() % 2 == 0 ? 0 : normal(random);
  DataSet data;
  data.width = n;
  for (uint32_t i = 0; i < n; ++i) {
    double margin = 0;
    for (uint32_t j = 0; j < n; ++j) {
      const double x = normal(random);
      margin += x * hidden[j];
      data.AddEntry(j, static_cast<float>(x));
    }
    const double sign = (margin > 0) != (random() % 10 == 0) ? 1 : -1;
    data.EndExample(static_cast<float>(task == Task::kLogistic ? sign : margin + normal(random)));
  }
  return data;
}

// A tenth of ‖∇L(0)‖∞.
double PenaltyFor(const DataSet& data, const MarginLoss& loss) {
  std::vector<double> gradient(data.width);
  for (size_t i = 0; i < data.size(); ++i) {
    const double slope = loss.Derivative(0, static_cast<double>(data.targets[i]));
    const DataSet::Line x = data[i];
    for (size_t k = 0; k < x.indices.size(); ++k) {
      gradient[x.indices[k]] += slope * static_cast<double>(x.values[k]) / static_cast<double>(data.size());
    }
  }
  double largest = 0;
  for (const double g : gradient) largest = std::max(largest, std::abs(g));
  return largest / 10;
}

double L1Norm(const std::vector<double>& weights) {
  double norm = 0;
  for (const double weight : weights) norm += std::abs(weight);
  return norm;
}

Series Distance(const std::string& name, const Trace& trace, double optimum) {
  Series series{.name = name};
  for (size_t i = 0; i < trace.objective.x.size(); ++i) {
    series.Add(trace.objective.x[i], trace.objective.y[i] - optimum);
  }
  return series;
}

double AccessesTo(const Series& series, double target) {
  for (size_t i = 0; i < series.y.size(); ++i) {
    if (series.y[i] <= target) return series.x[i];
  }
  return std::nan("");
}

std::string Exact(double value) { return fmt::format("{}", value); }

struct Comparison {
  Panel panel;
  std::vector<double> step_sizes;  // of "L1 batch" and "L1 stochastic"
};

Comparison Compare(Task task, uint32_t n, double passes) {
  const DataSet data = DenseData(task, n);
  const Matrix matrix(data);
  const MarginLoss loss{task == Task::kLogistic ? MarginLoss::Kind::kLogistic : MarginLoss::Kind::kSquared};
  const std::string word = task == Task::kLogistic ? "logistic" : "squared";
  const double lambda = PenaltyFor(data, loss);
  const RunLimit limit = {.accesses = passes * static_cast<double>(data.entries()), .points = 100};
  const Trace exact =
      RunSolver("scd", {{"loss", word}, {"l1", Exact(lambda)}, {"screening", "off"}}, matrix,
                {.accesses = 1e12, .gap = 1e-10 * MeanLoss({data, loss}, std::vector<double>(n))});
  const double penalised = exact.objective.y.back() - exact.gap.y.back();
  const BallProblem problem = {.data = data, .loss = loss, .radius = L1Norm(exact.weights)};
  const double constrained = MeanLoss(problem, exact.weights);

  Panel panel{.title = fmt::format("{}, n = {}",
                                   task == Task::kLogistic ? "logistic regression" : "least squares", n),
              .x_label = "numbers read",
              .y_label = "f − f*",
              .log_x = true,
              .log_y = true};
  const auto solver = [&](const char* name, const char* solver_name, const learners::OptionValues& options,
                          double optimum) {
    panel.series.push_back(Distance(name, RunSolver(solver_name, options, matrix, limit), optimum));
  };
  solver("coordinate", "scd",
         {{"loss", word},
          {"l1", Exact(lambda)},
          {"order", "cyclic"},
          {"support_passes", "0"},
          {"step", "column"},
          {"screening", "off"}},
         penalised);
  solver("L1 line search", "projected-gradient", {{"loss", word}, {"radius", Exact(problem.radius)}},
         constrained);
  std::vector<double> step_sizes;
  const auto tuned = [&](const char* name, const BallMethod& method, const StepSizes& sizes) {
    const auto with = [&](double size) {
      const learners::Schedule falling = {.kind = learners::Schedule::Kind::kInverseSqrt, .first = size};
      return RunBall(problem, method, falling, limit);
    };
    const Tuned<Trace> best = BestOfStepSizes(sizes, with, FinalObjective);
    panel.series.push_back(Distance(name, best.result, constrained));
    step_sizes.push_back(best.step_size);
  };
  tuned("L1 batch", {.batch = 0}, {0.3, 1});
  tuned("L1 stochastic", {.batch = std::max(1U, n / 100)}, {0.01, 0.03});
  panel.series.push_back(
      Distance("interior point", RunBarrierNewton(matrix, loss, lambda, limit), penalised));
  return {panel, step_sizes};
}

Row Summary(const Comparison& comparison) {
  const Panel& panel = comparison.panel;
  const double first = panel.At("L1 line search").y.front();
  Row row{.name = panel.title};
  for (const Series& series : panel.series) row.values.push_back(AccessesTo(series, 0.01 * first));
  for (const Series& series : panel.series) row.values.push_back(AccessesTo(series, 1e-4 * first));
  row.values.insert(row.values.end(), comparison.step_sizes.begin(), comparison.step_sizes.end());
  return row;
}

}  // namespace

Report BallSynthetic(const Setting& setting) {
  Report report;
  Table table{.caption = "Numbers read until f − f* has fallen to 1/100 and to 1/10,000 of its first value:",
              .columns = {"problem"}};
  for (const char* const share : {"1/100", "1/10,000"}) {
    for (const char* const name :
         {"coordinate", "L1 line search", "L1 batch", "L1 stochastic", "interior point"}) {
      table.columns.push_back(fmt::format("{}, {}", name, share));
    }
  }
  table.columns.insert(table.columns.end(), {"η0 of L1 batch", "η0 of L1 stochastic"});
  for (const uint32_t n : setting.Pick<std::vector<uint32_t>>({60}, {800, 4000})) {
    for (const Task task : {Task::kLeastSquares, Task::kLogistic}) {
      const Comparison comparison = Compare(task, n, setting.Pick(1500, n == 800 ? 1000 : 150));
      report.panels.push_back(comparison.panel);
      table.rows.push_back(Summary(comparison));
    }
  }
  report.tables = {table};
  return report;
}

}  // namespace thresher::reproduction
