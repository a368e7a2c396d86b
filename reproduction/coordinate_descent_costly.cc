// Shalev-Shwartz & Tewari (2009), Section 3.1: features that are costly to compute. The axis is the number of
// features computed, each for one example, whether the value is zero or not.
//
// A step of SMIDAS, and of truncated gradient, needs the features with a non-zero weight for the margin. If
// |x_ij| ≤ 1 and |L'| ≤ λ, the step leaves every zero at zero, so it needs no others; else it needs all d. A
// draw of SCD needs one feature of all m examples, a step of DetCD all of them. Nothing is kept for later.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "reproduction/batch_run.h"
#include "reproduction/online_model.h"
#include "reproduction/runs.h"
#include "reproduction/sets/readers.h"
#include "reproduction/sets/synthetic_text.h"
#include "reproduction/step_sizes.h"

namespace thresher::reproduction {
namespace {

struct CostlyTask {
  std::string name;
  const DataSet& data;
  double lambda;
  double times;           // the budget: every feature of every example so many times
  StepSizes smidas = {};  // of η, to try first
  StepSizes truncated = {};

  double Budget() const { return times * static_cast<double>(data.size()) * static_cast<double>(data.width); }
};

struct CostlyRun {
  Series loss = {};  // over features computed
  double steps = 0;
  double computed = 0;
  double full_steps = 0;  // those that need all features
  double nonzeros = 0;    // mean number of non-zero weights
};

constexpr int kCostlyPoints = 25;

// Weights are counted every 64th step.
CostlyRun RunOnline(std::string_view learner, const learners::OptionValues& options, const CostlyTask& task) {
  OnlineModel model(learner, options, task.data.width);
  std::mt19937_64 random(1);
  std::uniform_int_distribution<size_t> draw(0, task.data.size() - 1);
  const auto d = static_cast<double>(task.data.width);
  CostlyRun run;
  double nonzeros = 0;
  double sum = 0;
  for (uint64_t step = 0; run.computed < task.Budget(); ++step) {
    if (step % 64 == 0) nonzeros = static_cast<double>(model.Nonzeros());
    if (run.computed >= static_cast<double>(run.loss.x.size()) * task.Budget() / kCostlyPoints) {
      run.loss.Add(run.computed, L1LogisticObjective(task.data, model.Weights(), task.lambda));
    }
    const size_t i = draw(random);
    const double margin = model.Score(task.data[i]);
    const double slope = 1 / (1 + std::exp((task.data.targets[i] > 0 ? 1 : -1) * margin));  // |L'|
    const bool needs_all = slope > task.lambda;
    model.Learn(task.data[i], task.data.targets[i], margin);
    run.computed += needs_all ? d : nonzeros;
    run.full_steps += needs_all ? 1 : 0;
    run.steps += 1;
    sum += nonzeros;
  }
  run.loss.Add(run.computed, L1LogisticObjective(task.data, model.Weights(), task.lambda));
  run.nonzeros = sum / run.steps;
  return run;
}

// `of_epoch` features are computed in each epoch, each entry is read at most `reads` times.
CostlyRun RunColumns(std::string_view solver, const learners::OptionValues& options, const Matrix& matrix,
                     const CostlyTask& task, double of_epoch, double reads) {
  const double epochs = std::ceil(task.Budget() / of_epoch);
  const Trace trace =
      RunSolver(solver, options, matrix,
                {.accesses = reads * epochs * static_cast<double>(task.data.entries()), .points = 1000});
  CostlyRun run;
  for (size_t k = 0; k < trace.objective.y.size() && trace.epochs.y[k] <= epochs; ++k) {
    run.loss.Add(trace.epochs.y[k] * of_epoch, trace.objective.y[k]);
  }
  return run;
}

class CostlyComparison {
 public:
  CostlyComparison(const CostlyTask& task, Report* report)
      : task_(task),
        report_(report),
        panel_{.title = fmt::format("{}, λ = {:.0e}", task.name, task.lambda),
               .x_label = "features computed",
               .y_label = "regularised loss"} {}

  void Run() {
    const std::string l1 = fmt::format("{}", task_.lambda);
    Online("SMIDAS", "smidas",
           {{"l1", l1}, {"norm_every", "1000"}, {"dimension", fmt::format("{}", task_.data.width)}},
           task_.smidas);
    Online("TruncGrad", "truncated-gradient", {{"gravity", l1}}, task_.truncated);
    const Matrix matrix(task_.data);
    const double all = static_cast<double>(task_.data.size()) * static_cast<double>(task_.data.width);
    Add("SCD, as printed",
        RunColumns("scd", ScdAsDrawn(CurvatureBound::kOne, task_.lambda), matrix, task_, 2 * all, 4), 0);
    Add("SCD, column steps",
        RunColumns("scd", ScdAsDrawn(CurvatureBound::kOfColumn, task_.lambda), matrix, task_, 2 * all, 4), 0);
    Add("DetCD, column steps",
        RunColumns("detcd", DetCdOptions(CurvatureBound::kOfColumn, task_.lambda), matrix, task_, all, 2), 0);
    report_->panels.push_back(std::move(panel_));
  }

 private:
  void Online(const std::string& name, std::string_view learner, learners::OptionValues options,
              const StepSizes& sizes) {
    Tuned<CostlyRun> best = BestOfStepSizes(
        sizes,
        [&](double size) {
          options["learning_rate"] = fmt::format("{}", size);
          return RunOnline(learner, options, task_);
        },
        [](const CostlyRun& run) { return run.loss.y.back(); });
    Add(name, std::move(best.result), best.step_size);
  }

  void Add(const std::string& name, CostlyRun run, double step_size) {
    const double none = std::nan("");
    const bool is_online = step_size > 0;
    const auto d = static_cast<double>(task_.data.width);
    const auto percent = [&](double part, double whole) { return is_online ? 100 * part / whole : none; };
    report_->tables.front().rows.push_back(
        {.name = fmt::format("{}, {:.0e}, {}", task_.name, task_.lambda, name),
         .values = {task_.times, ValueAt(run.loss, 1.01 * task_.Budget()), percent(run.nonzeros, d),
                    percent(run.full_steps, run.steps), percent(run.computed, run.steps * d),
                    is_online ? step_size : none}});
    run.loss.name = name;
    panel_.y_most = 1.1 * run.loss.y.front();
    panel_.series.push_back(std::move(run.loss));
  }

  const CostlyTask& task_;
  Report* report_;
  Panel panel_;
};

}  // namespace

Report CoordinateDescentCostly(const Setting& setting) {
  Report report;
  report.tables = {
      {.caption =
           "Regularised loss when every feature of every example could have been computed so many "
           "times; of a step of the online learners, in %: weights that are not zero (the mean), steps "
           "with abs(L') > λ, features computed. η as in coordinate-descent:",
       .columns = {"set, λ, method", "times", "loss", "weights", "abs(L') > λ", "features computed", "η"}}};
  if (setting.size == Size::kQuick) {
    DataSet text = MakeSyntheticText({.examples = 200, .width = 100, .features = 20}, 1);
    NormaliseExamples(&text);
    CostlyComparison({"synthetic text", text, 1e-2, 10, {1, 3}, {1, 3}}, &report).Run();
    return report;
  }
  const DataSet arcene = ReadArcene(setting.sets);
  for (const double lambda : {1e-2, 1e-3}) {
    CostlyComparison({"ARCENE", arcene, lambda, 200, {0.1, 0.3}, {1e-3, 3e-3}}, &report).Run();
  }
  const DataSet sparse = ReadMagic(setting.sets, MagicNoise::kSparse);
  for (const double lambda : {1e-2, 1e-3}) {
    CostlyComparison({"MAGIC04S", sparse, lambda, 20, {1e-2, 3e-2}, {1e-3, 3e-3}}, &report).Run();
  }
  return report;
}

}  // namespace thresher::reproduction
