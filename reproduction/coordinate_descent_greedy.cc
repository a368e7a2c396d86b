// Shalev-Shwartz & Tewari (2009), Section 1.1: coordinate descent on a random coordinate beside greedy
// selection over ‖w‖₁ ≤ B, which the authors ran too and found slower, without figures.
//
// With B = ‖w*‖₁, w* being where the regularised loss is least, both problems have the minimum w*. So the
// regularised loss of the greedy iterates is compared with that of SCD, on the sets and at the lengths of the
// other experiments. B is the ‖w‖₁ at which SCD with our steps ends, which comes nearest to the minimum.
#include <fmt/format.h>

#include <future>
#include <string>
#include <utility>
#include <vector>

#include "reproduction/batch_run.h"
#include "reproduction/runs.h"
#include "reproduction/sets/readers.h"
#include "reproduction/sets/synthetic_text.h"
#include "reproduction/sets/text_features.h"

namespace thresher::reproduction {
namespace {

struct GreedyTask {
  std::string name;
  const DataSet& data;
  double lambda;
  double passes;  // a pass is two accesses to each entry
};

// Its objective is the regularised loss, though the solver's own is the loss alone.
Trace RunGreedy(const char* step, const Matrix& matrix, const RunLimit& limit, double lambda, double radius) {
  Trace trace =
      RunSolver("frank-wolfe", {{"radius", fmt::format("{}", radius)}, {"step", step}}, matrix, limit);
  for (size_t k = 0; k < trace.objective.y.size(); ++k) trace.objective.y[k] += lambda * trace.l1_norm.y[k];
  return trace;
}

// One for the losses, one for the weights.
std::vector<Table> NewGreedyTables() {
  const std::vector<std::string> methods = {"SCD, as printed", "SCD, column steps", "SCD, our steps",
                                            "greedy, 2/(t + 2)", "greedy, curvature"};
  Table losses = {
      .caption = "Regularised loss after the stated number of passes; ‖w‖₁ ≤ B for the greedy ones:",
      .columns = {"set", "λ", "passes", "B"}};
  Table weights = {.caption = "Non-zero weights at the same time:", .columns = {"set", "λ"}};
  for (Table* table : {&losses, &weights}) {
    table->columns.insert(table->columns.end(), methods.begin(), methods.end());
  }
  return {losses, weights};
}

struct GreedyOutcome {
  Panel panel;
  Row losses;
  Row weights;
};

GreedyOutcome RunGreedyTask(const GreedyTask& task) {
  const Matrix matrix(task.data);
  const RunLimit limit = {.accesses = 2 * task.passes * static_cast<double>(task.data.entries()),
                          .points = 25};
  const learners::OptionValues ours = {{"l1", fmt::format("{}", task.lambda)}, {"screening", "off"}};
  std::vector<Trace> traces;
  traces.push_back(RunSolver("scd", ScdAsDrawn(CurvatureBound::kOne, task.lambda), matrix, limit)
                       .Named("SCD, as printed"));
  traces.push_back(RunSolver("scd", ScdAsDrawn(CurvatureBound::kOfColumn, task.lambda), matrix, limit)
                       .Named("SCD, column steps"));
  traces.push_back(RunSolver("scd", ours, matrix, limit).Named("SCD, our steps"));
  const double radius = traces.back().l1_norm.y.back();
  traces.push_back(RunGreedy("inverse", matrix, limit, task.lambda, radius).Named("greedy, 2/(t + 2)"));
  traces.push_back(RunGreedy("curvature", matrix, limit, task.lambda, radius).Named("greedy, curvature"));

  GreedyOutcome outcome = {.panel = {.title = fmt::format("{}, λ = {:.0e}", task.name, task.lambda),
                                     .x_label = "data accesses",
                                     .y_label = "regularised loss",
                                     .log_y = task.lambda < 1e-5},
                           .losses = {.name = task.name, .values = {task.lambda, task.passes, radius}},
                           .weights = {.name = task.name, .values = {task.lambda}}};
  // The last epoch of a solver may exceed the limit: later points do not count.
  const double end = 1.01 * limit.accesses;
  for (Trace& trace : traces) {
    outcome.losses.values.push_back(ValueAt(trace.objective, end));
    outcome.weights.values.push_back(ValueAt(trace.nonzeros, end));
    outcome.panel.y_most = 1.1 * trace.objective.y.front();
    outcome.panel.series.push_back(std::move(trace.objective));
  }
  return outcome;
}

// Each on a thread of its own: many minutes of processor time.
Report RunGreedyTasks(const std::vector<GreedyTask>& tasks) {
  std::vector<std::future<GreedyOutcome>> outcomes;
  outcomes.reserve(tasks.size());
  for (const GreedyTask& task : tasks) {
    outcomes.push_back(std::async(std::launch::async, [&task] { return RunGreedyTask(task); }));
  }
  Report report{.tables = NewGreedyTables()};
  for (std::future<GreedyOutcome>& each : outcomes) {
    GreedyOutcome outcome = each.get();
    report.panels.push_back(std::move(outcome.panel));
    report.tables.front().rows.push_back(std::move(outcome.losses));
    report.tables.back().rows.push_back(std::move(outcome.weights));
  }
  return report;
}

}  // namespace

Report CoordinateDescentGreedy(const Setting& setting) {
  if (setting.size == Size::kQuick) {
    DataSet text = MakeSyntheticText({.examples = 300, .width = 300, .features = 20}, 1);
    NormaliseExamples(&text);
    return RunGreedyTasks({{"synthetic text", text, 1e-3, 40}});
  }
  const DataSet news = MakeText(ReadNewsgroups(setting.sets), TextFeatures::kWords, 1, IsComputingOrScience);
  const DataSet arcene = ReadArcene(setting.sets);
  const DataSet sparse = ReadMagic(setting.sets, MagicNoise::kSparse);
  const DataSet dense = ReadMagic(setting.sets, MagicNoise::kDense);
  return RunGreedyTasks({{"20 newsgroups", news, 1e-6, 40},
                         {"ARCENE", arcene, 1e-2, 1000},
                         {"ARCENE", arcene, 1e-6, 1000},
                         {"MAGIC04S", sparse, 1e-3, 60},
                         {"MAGIC04S", sparse, 1e-4, 60},
                         {"MAGIC04D", dense, 1e-3, 104},
                         {"MAGIC04D", dense, 1e-4, 104}});
}

}  // namespace thresher::reproduction
