// Shalev-Shwartz & Tewari (2009), Fig. 1: the ℓ1-regularised logistic loss over data accesses, by coordinate
// descent on a random coordinate (SCD) and on the best one (DetCD), and by the online learners SMIDAS and
// truncated gradient.
//
// The paper uses RCV1, which is not freely available; this experiment uses the 20 newsgroups. The quick size
// uses synthetic documents and synthetic dense examples.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "reproduction/batch_run.h"
#include "reproduction/runs.h"
#include "reproduction/sets/readers.h"
#include "reproduction/sets/synthetic_text.h"
#include "reproduction/sets/text_features.h"
#include "reproduction/step_sizes.h"

namespace thresher::reproduction {
namespace {

struct Task {
  std::string name;
  const DataSet& data;
  double lambda;
  double passes;          // a pass is two accesses to each entry
  bool density = false;   // whether to show the number of non-zero weights too
  StepSizes smidas = {};  // of η, to try first; the least final objective wins
  StepSizes truncated = {};
};

class Comparison {
 public:
  Comparison(const Task& task, size_t points)
      : task_(task),
        matrix_(task.data),
        limit_{.accesses = 2 * task.passes * static_cast<double>(task.data.entries()), .points = points} {}

  // SCD and DetCD use a bound of the curvature for each column; the paper uses one bound for all.
  std::vector<Trace> Run() {
    const std::string l1 = fmt::format("{}", task_.lambda);
    std::vector<Trace> traces;
    traces.push_back(RunSolver("scd",
                               {{"l1", l1},
                                {"form", "split"},
                                {"step", "column"},
                                {"support_passes", "0"},
                                {"order", "sampled"},
                                {"screening", "off"}},
                               matrix_, limit_)
                         .Named("SCD"));
    traces.push_back(
        RunSolver("scd", {{"l1", l1}, {"screening", "off"}}, matrix_, limit_).Named("SCD, our defaults"));
    traces.push_back(RunSolver("detcd", {{"l1", l1}}, matrix_, limit_).Named("DetCD"));
    // The p-norm of all weights is updated step by step, and computed exactly every 1,000 steps.
    const learners::OptionValues smidas = {
        {"l1", l1}, {"norm_every", "1000"}, {"dimension", fmt::format("{}", task_.data.width)}};
    traces.push_back(Online("smidas", smidas, task_.smidas).Named("SMIDAS"));
    traces.push_back(Online("truncated-gradient", {{"gravity", l1}}, task_.truncated).Named("TruncGrad"));
    return traces;
  }

  // λ, passes, the final loss and non-zero weights of each method, the step sizes of the online learners.
  Row Summary(const std::vector<Trace>& traces) const {
    Row row{.name = task_.name, .values = {task_.lambda, task_.passes}};
    // The last epoch of a solver may exceed the limit: later points do not count. 1 % allows for one example.
    const double end = 1.01 * limit_.accesses;
    for (const Trace& trace : traces) row.values.push_back(ValueAt(trace.objective, end));
    for (const Trace& trace : traces) row.values.push_back(ValueAt(trace.nonzeros, end));
    row.values.insert(row.values.end(), step_sizes_.begin(), step_sizes_.end());
    return row;
  }

 private:
  Trace Online(std::string_view learner, learners::OptionValues options, const StepSizes& sizes) {
    Tuned<Trace> best = BestOfStepSizes(
        sizes,
        [&](double size) {
          options["learning_rate"] = fmt::format("{}", size);
          return RunLearner(learner, options, task_.data, task_.lambda, limit_);
        },
        [](const Trace& trace) { return trace.objective.y.back(); });
    step_sizes_.push_back(best.step_size);
    return std::move(best.result);
  }

  const Task& task_;
  Matrix matrix_;
  RunLimit limit_;
  std::vector<double> step_sizes_;
};

Table NewTable() {
  return {.caption =
              "Regularised loss and non-zero weights after the stated number of passes; η is the best of …, "
              ".1, .3, "
              "1, 3, 10, …; its neighbours are worse:",
          .columns = {"set", "λ", "passes", "SCD", "SCD, our defaults", "DetCD", "SMIDAS", "TruncGrad",
                      "nnz SCD", "nnz SCD, our defaults", "nnz DetCD", "nnz SMIDAS", "nnz TruncGrad",
                      "η SMIDAS", "η TruncGrad"}};
}

void AddTask(Report* report, const Task& task, size_t points) {
  Comparison comparison(task, points);
  const std::vector<Trace> traces = comparison.Run();
  const std::string title = fmt::format("{}, λ = {:.0e}", task.name, task.lambda);
  Panel loss{
      .title = title, .x_label = "data accesses", .y_label = "regularised loss", .log_y = task.lambda < 1e-5};
  Panel density{.title = title + ": density", .x_label = "data accesses", .y_label = "non-zero weights"};
  for (const Trace& trace : traces) {
    loss.y_most = 1.1 * trace.objective.y.front();
    loss.series.push_back(trace.objective);
    density.series.push_back(trace.nonzeros);
  }
  report->panels.push_back(loss);
  if (task.density) report->panels.push_back(density);
  report->tables.front().rows.push_back(comparison.Summary(traces));
}

// Dense examples: the first ten features determine the label, the others are ±1 at random.
DataSet DenseNoise(size_t examples, uint32_t width) {
  std::mt19937_64 random(1);
  std::normal_distribution<float> normal(0, 0.3F);
  std::bernoulli_distribution one(0.5);
  DataSet data;
  data.width = width;
  for (size_t i = 0; i < examples; ++i) {
    float margin = normal(random);
    for (uint32_t j = 0; j < width; ++j) {
      const float value = j < 10 ? std::clamp(normal(random), -1.0F, 1.0F) : (one(random) ? 1.0F : -1.0F);
      if (j < 10) margin += value;
      data.AddEntry(j, value);
    }
    data.EndExample(margin > 0 ? 1 : -1);
  }
  return data;
}

void AddSynthetic(Report* report) {
  constexpr size_t kPoints = 30;
  DataSet text = MakeSyntheticText({.examples = 400, .width = 1000, .features = 20}, 1);
  NormaliseExamples(&text);
  AddTask(report,
          {.name = "synthetic text",
           .data = text,
           .lambda = 1e-4,
           .passes = 20,
           .smidas = {10, 100},
           .truncated = {10, 100}},
          kPoints);
  const DataSet dense = DenseNoise(300, 100);
  AddTask(report,
          {.name = "synthetic dense",
           .data = dense,
           .lambda = 1e-2,
           .passes = 20,
           .smidas = {0.1, 1},
           .truncated = {0.01, 0.1}},
          kPoints);
}

void AddReal(Report* report, const std::string& sets) {
  constexpr size_t kPoints = 25;
  const DataSet news = MakeText(ReadNewsgroups(sets), TextFeatures::kWords, 1, IsComputingOrScience);
  AddTask(report,
          {.name = "20 newsgroups",
           .data = news,
           .lambda = 1e-6,
           .passes = 40,
           .smidas = {1000, 3000},
           .truncated = {3, 10}},
          kPoints);
  const DataSet arcene = ReadArcene(sets);
  for (const double lambda : {1e-2, 1e-6}) {
    AddTask(report,
            {.name = "ARCENE",
             .data = arcene,
             .lambda = lambda,
             .passes = 100,
             .smidas = {1, 3},
             .truncated = {1e-3, 3e-3}},
            kPoints);
  }
  const DataSet sparse = ReadMagic(sets, MagicNoise::kSparse);
  const DataSet dense = ReadMagic(sets, MagicNoise::kDense);
  for (const double lambda : {1e-3, 1e-4}) {
    AddTask(report,
            {.name = "MAGIC04S",
             .data = sparse,
             .lambda = lambda,
             .passes = 60,
             .smidas = {1e-2, 3e-2},
             .truncated = {1e-3, 3e-3}},
            kPoints);
    AddTask(report,
            {.name = "MAGIC04D",
             .data = dense,
             .lambda = lambda,
             .passes = 10,
             .density = true,
             .smidas = {3e-2, 0.1},
             .truncated = {3e-4, 1e-3}},
            kPoints);
  }
}

}  // namespace

Report CoordinateDescent(const Setting& setting) {
  Report report;
  report.tables = {NewTable()};
  if (setting.size == Size::kQuick) {
    AddSynthetic(&report);
  } else {
    AddReal(&report, setting.sets);
  }
  return report;
}

}  // namespace thresher::reproduction
