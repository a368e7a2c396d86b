// Shalev-Shwartz & Tewari (2009), Fig. 1: the ℓ1-regularised logistic loss over data accesses, by coordinate
// descent on a random coordinate (SCD) and on the best one (DetCD), and by the online learners SMIDAS and
// truncated gradient.
//
// RCV1 cannot be had; the 20 newsgroups stand in its place. Quick, or without real sets: synthetic documents
// and synthetic dense examples.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <vector>

#include "reproduction/batch_run.h"
#include "reproduction/runs.h"
#include "reproduction/sets/readers.h"
#include "reproduction/sets/synthetic_text.h"
#include "reproduction/sets/text_features.h"

namespace thresher::reproduction {
namespace {

struct Task {
  std::string name;
  const DataSet& data;
  double lambda;
  double passes;                          // over the data
  bool density = false;                   // shown, too
  std::vector<double> smidas_rates = {};  // η that they try; the one that ends lowest counts
  std::vector<double> truncated_rates = {};
};

class Comparison {
 public:
  Comparison(const Task& task, size_t points)
      : task_(task),
        matrix_(task.data),
        limit_{.accesses = task.passes * static_cast<double>(task.data.entries()), .points = points} {}

  // SCD and DetCD bound the curvature of each column; the paper has one bound for all.
  std::vector<Trace> Run() {
    const std::string l1 = fmt::format("{}", task_.lambda);
    std::vector<Trace> traces;
    traces.push_back(RunSolver("scd",
                               {{"l1", l1},
                                {"form", "split"},
                                {"step", "column"},
                                {"support_passes", "0"},
                                {"order", "sampled"}},
                               matrix_, limit_)
                         .Named("SCD"));
    traces.push_back(RunSolver("scd", {{"l1", l1}}, matrix_, limit_).Named("SCD, our defaults"));
    traces.push_back(RunSolver("detcd", {{"l1", l1}}, matrix_, limit_).Named("DetCD"));
    // The norm that all weights share is followed, and made exact every 1,000 steps.
    const learners::OptionValues smidas = {
        {"l1", l1}, {"norm_every", "1000"}, {"dimension", fmt::format("{}", task_.data.width)}};
    traces.push_back(BestRate("smidas", smidas, task_.smidas_rates, &smidas_rate_).Named("SMIDAS"));
    traces.push_back(
        BestRate("truncated-gradient", {{"gravity", l1}}, task_.truncated_rates, &truncated_rate_)
            .Named("TruncGrad"));
    return traces;
  }

  // λ and the two rates, then what each method ended with.
  Row Summary(const std::vector<Trace>& traces) const {
    Row row{.name = task_.name, .values = {task_.lambda}};
    for (const Trace& trace : traces) row.values.push_back(trace.objective.y.back());
    for (const Trace& trace : traces) row.values.push_back(trace.nonzeros.y.back());
    row.values.push_back(smidas_rate_);
    row.values.push_back(truncated_rate_);
    return row;
  }

 private:
  Trace BestRate(std::string_view learner, learners::OptionValues options, const std::vector<double>& rates,
                 double* best_rate) const {
    std::optional<Trace> best;
    for (const double rate : rates) {
      options["learning_rate"] = fmt::format("{}", rate);
      Trace trace = RunLearner(learner, options, task_.data, task_.lambda, limit_);
      if (best && best->objective.y.back() <= trace.objective.y.back()) continue;
      best = std::move(trace);
      *best_rate = rate;
    }
    return *best;
  }

  const Task& task_;
  Matrix matrix_;
  RunLimit limit_;
  double smidas_rate_ = 0;
  double truncated_rate_ = 0;
};

Table NewTable() {
  return {.caption =
              "Regularised loss and non-zero weights at the end; step sizes of the online learners as they "
              "did best of two to four powers of ten:",
          .columns = {"set", "λ", "SCD", "SCD, our defaults", "DetCD", "SMIDAS", "TruncGrad", "nnz SCD",
                      "nnz SCD, our defaults", "nnz DetCD", "nnz SMIDAS", "nnz TruncGrad", "η SMIDAS",
                      "η TruncGrad"}};
}

void AddTask(Report* report, const Task& task, size_t points) {
  Comparison comparison(task, points);
  const std::vector<Trace> traces = comparison.Run();
  const std::string title = fmt::format("{}, λ = {:.0e}", task.name, task.lambda);
  Panel loss{.title = title, .x_label = "data accesses", .y_label = "regularised loss"};
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

// Dense, the first ten features tell the label, the others are ±1 by chance.
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
           .passes = 40,
           .smidas_rates = {10, 100},
           .truncated_rates = {10, 100}},
          kPoints);
  const DataSet dense = DenseNoise(300, 100);
  AddTask(report,
          {.name = "synthetic dense",
           .data = dense,
           .lambda = 1e-2,
           .passes = 40,
           .smidas_rates = {0.1, 1},
           .truncated_rates = {0.01, 0.1}},
          kPoints);
}

void AddReal(Report* report, const std::string& sets) {
  constexpr size_t kPoints = 25;
  const DataSet news = MakeText(ReadNewsgroups(sets), TextFeatures::kWords, 1, IsComputingOrScience);
  AddTask(report,
          {.name = "20 newsgroups",
           .data = news,
           .lambda = 1e-6,
           .passes = 20,
           .smidas_rates = {10, 100, 1000},
           .truncated_rates = {1, 10, 100}},
          kPoints);
  const DataSet arcene = ReadArcene(sets);
  for (const double lambda : {1e-2, 1e-6}) {
    AddTask(report,
            {.name = "ARCENE",
             .data = arcene,
             .lambda = lambda,
             .passes = 50,
             .smidas_rates = {0.1, 1, 10},
             .truncated_rates = {1e-4, 1e-3, 1e-2, 0.1}},
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
             .smidas_rates = {1e-2, 0.1},
             .truncated_rates = {1e-3, 1e-2, 0.1}},
            kPoints);
    AddTask(report,
            {.name = "MAGIC04D",
             .data = dense,
             .lambda = lambda,
             .passes = 20,
             .density = true,
             .smidas_rates = {0.1, 1},
             .truncated_rates = {1e-4, 1e-3}},
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
