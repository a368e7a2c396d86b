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
#include <array>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "reproduction/attempts.h"
#include "reproduction/ball_rivals.h"
#include "reproduction/barrier_newton.h"
#include "reproduction/batch_run.h"
#include "reproduction/runs.h"

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

std::string Exact(double value) { return fmt::format("{}", value); }

// Of f − f* at the start.
constexpr std::array<double, 5> kFalls = {3, 10, 30, 100, 10'000};
// Of the work on the paper's axis.
constexpr std::array<double, 4> kShares = {30, 10, 3, 1};

struct Comparison {
  Panel panel;
  // By method: numbers read until each of kFalls, f − f* over that at the start after each of kShares.
  std::vector<Row> reads = {};
  std::vector<Row> distances = {};
  // Of the methods with step sizes, those by which each of these is reached.
  std::vector<Row> sizes = {};
};

struct DenseTask {
  Task task = {};
  uint32_t n = 0;
  double passes = 0;
  double paper_axis = 0;  // numbers read at the end of the paper's axis: half its operations
};

class Comparer {
 public:
  Comparer(const DenseTask& task, double first)
      : name_(fmt::format("{}, n = {}",
                          task.task == Task::kLogistic ? "logistic regression" : "least squares", task.n)),
        first_(first),
        comparison_{.panel = {.title = name_,
                              .x_label = "numbers read",
                              .y_label = "f − f*",
                              .log_x = true,
                              .log_y = true}} {
    for (const double fall : kFalls) aims_.losses.push_back(first / fall);
    for (const double share : kShares) aims_.works.push_back(task.paper_axis / share);
  }

  void Add(const Series& series) {
    Row& reads = comparison_.reads.emplace_back(Row{.name = name_ + ", " + series.name});
    for (const double loss : aims_.losses) reads.values.push_back(WorkUntil(series, loss));
    Row& distances = comparison_.distances.emplace_back(Row{.name = name_ + ", " + series.name});
    for (const double work : aims_.works) distances.values.push_back(ValueAt(series, work) / first_);
    comparison_.panel.series.push_back(series);
  }

  // Steps of η0/√t, with the η0 that is best for each of the figures. The curve is the least of all at each
  // point.
  void AddBest(const std::string& name, const StepSizes& first, const Attempts::Run& run) {
    constexpr auto kFalling = std::to_array({learners::Schedule::Kind::kInverseSqrt});
    const Attempts attempts(kFalling, first, aims_, run);
    Row& reads = comparison_.reads.emplace_back(Row{.name = name_ + ", " + name});
    Row& distances = comparison_.distances.emplace_back(Row{.name = name_ + ", " + name});
    Row& sizes = comparison_.sizes.emplace_back(Row{.name = name_ + ", " + name});
    const auto size_of = [&](size_t attempt) { return attempts.all()[attempt].schedule.first; };
    for (const double loss : aims_.losses) {
      reads.values.push_back(attempts.WorkTo(loss));
      sizes.values.push_back(std::isnan(attempts.WorkTo(loss)) ? std::nan("")
                                                               : size_of(attempts.FirstAt(loss)));
    }
    for (const double work : aims_.works) {
      const size_t best = attempts.BestAt(work);
      distances.values.push_back(ValueAt(attempts.all()[best].series, work) / first_);
      sizes.values.push_back(size_of(best));
    }
    comparison_.panel.series.push_back(attempts.Envelope(name));
  }

  Comparison Finish() { return std::move(comparison_); }

 private:
  std::string name_;
  double first_;
  Aims aims_;
  Comparison comparison_;
};

Comparison Compare(const DenseTask& dense) {
  const DataSet data = DenseData(dense.task, dense.n);
  const Matrix matrix(data);
  const bool logistic = dense.task == Task::kLogistic;
  const MarginLoss loss{logistic ? MarginLoss::Kind::kLogistic : MarginLoss::Kind::kSquared};
  const std::string word = logistic ? "logistic" : "squared";
  const double lambda = PenaltyFor(data, loss);
  const RunLimit limit = {
      .accesses = dense.passes * static_cast<double>(data.entries()), .points = 120, .early_points = true};
  const double at_zero = MeanLoss({data, loss}, std::vector<double>(dense.n));
  const Trace exact = RunSolver("scd", {{"loss", word}, {"l1", Exact(lambda)}, {"screening", "off"}}, matrix,
                                {.accesses = 1e12, .gap = 1e-10 * at_zero});
  const double penalised = exact.objective.y.back() - exact.gap.y.back();
  const BallProblem problem = {.data = data, .loss = loss, .radius = L1Norm(exact.weights)};
  const double constrained = MeanLoss(problem, exact.weights);

  Comparer comparer(dense, at_zero - constrained);
  comparer.Add(Distance("coordinate",
                        RunSolver("scd",
                                  {{"loss", word},
                                   {"l1", Exact(lambda)},
                                   {"order", "cyclic"},
                                   {"support_passes", "0"},
                                   {"step", "column"},
                                   {"screening", "off"}},
                                  matrix, limit),
                        penalised));
  comparer.Add(Distance(
      "L1 line search",
      RunSolver("projected-gradient", {{"loss", word}, {"radius", Exact(problem.radius)}}, matrix, limit),
      constrained));
  const auto with = [&](size_t batch) {
    return [&, batch](const learners::Schedule& schedule) {
      return Distance("", RunBall(problem, {.batch = batch}, schedule, limit), constrained);
    };
  };
  comparer.AddBest("L1 batch", {0.3, 1}, with(0));
  comparer.AddBest("L1 stochastic", {0.01, 0.03}, with(std::max(1U, dense.n / 100)));
  comparer.Add(Distance("interior point", RunBarrierNewton(matrix, loss, lambda, limit), penalised));
  return comparer.Finish();
}

}  // namespace

Report BallSynthetic(const Setting& setting) {
  Table reads{
      .caption =
          "Numbers read until f − f* has fallen to these shares of its first value; for L1 batch and L1 "
          "stochastic, each with the η0 that is first there:",
      .columns = {"problem, method", "1/3", "1/10", "1/30", "1/100", "1/10,000"}};
  Table distances{.caption =
                      "f − f*, over its first value, after these shares of the work on the paper's axis; "
                      "each with the η0 that is best there:",
                  .columns = {"problem, method", "1/30", "1/10", "1/3", "all"}};
  Table sizes{.caption = "These η0, of …, .1, .3, 1, 3, 10, …; the neighbours are worse:",
              .columns = {"problem, method", "to 1/3", "to 1/10", "to 1/30", "to 1/100", "to 1/10,000",
                          "after 1/30", "after 1/10", "after 1/3", "after all"}};
  // The axes of Fig. 4 and 5 end at 2.2e8, 5.5e8, 6e9 and 8e9 operations.
  const auto tasks = setting.Pick<std::vector<DenseTask>>(
      {{Task::kLeastSquares, 60, 1500, 5.4e6}, {Task::kLogistic, 60, 1500, 5.4e6}},
      {{Task::kLeastSquares, 800, 1000, 1.1e8},
       {Task::kLogistic, 800, 1000, 2.75e8},
       {Task::kLeastSquares, 4000, 250, 3e9},
       {Task::kLogistic, 4000, 250, 4e9}});
  Report report;
  for (const DenseTask& task : tasks) {
    Comparison comparison = Compare(task);
    report.panels.push_back(std::move(comparison.panel));
    const auto append = [](Table* table, const std::vector<Row>& rows) {
      table->rows.insert(table->rows.end(), rows.begin(), rows.end());
    };
    append(&reads, comparison.reads);
    append(&distances, comparison.distances);
    append(&sizes, comparison.sizes);
  }
  report.tables = {reads, distances, sizes};
  return report;
}

}  // namespace thresher::reproduction
