#include "pipeline/fit/fitting.h"

#include <fmt/format.h>

#include <chrono>
#include <cmath>

#include "pipeline/fit/report_schedule.h"
#include "pipeline/fit/solver_state.h"
#include "pipeline/fit/thread_team.h"

namespace thresher::pipeline {
namespace {

using learners::batch::Solver;
using Clock = std::chrono::steady_clock;

class Fitting {
 public:
  Fitting(Solver& solver, const FitOptions& options, std::string of_what)
      : solver_(solver), options_(options), of_what_(std::move(of_what)) {}

  Result<void> Run(Fitted* fitted) {
    if (auto begun = Begin(); !begun) return begun;
    if (auto done = Report(fitted, options_.resume.empty()); !done) return done;
    while (!(fitted->reached && IsReportDue(epochs_)) && epochs_ < options_.epochs) {
      const auto begin = Clock::now();
      solver_.Step();
      seconds_ += std::chrono::duration<double>(Clock::now() - begin).count();
      ++epochs_;
      const bool is_due = IsReportDue(epochs_);
      if (!is_due && epochs_ < options_.epochs) continue;
      if (auto done = Report(fitted, is_due); !done) return done;
    }
    const auto weights = solver_.Weights();
    fitted->weights.assign(weights.begin(), weights.end());
    return {};
  }

 private:
  Result<void> Begin() {
    bool resumed = false;
    if (!options_.resume.empty()) {
      const auto restored = RestoreSolver(options_.resume, of_what_, solver_.Memory());
      if (!restored) return tl::unexpected(restored.error());
      resumed = *restored;
    }
    if (!resumed && !options_.start.empty() && !solver_.WarmStart(options_.start))
      return tl::unexpected(
          Error{kUsage, fmt::format("solver {} cannot start from weights", options_.solver)});
    return {};
  }

  // Which epoch a state was saved at is known after the first report.
  Result<void> Report(Fitted* fitted, bool is_surely_due) {
    const auto report = [this] { return solver_.Report(); };
    FitPoint point = {is_surely_due ? report() : ReportOutOfTurn(solver_.Memory(), report), seconds_};
    if (point.progress.gap <= 0) point.progress.gap = 0;  // below 0 by rounding only
    const double objective = point.progress.primal;
    if (!std::isfinite(objective))
      return tl::unexpected(
          Error{kData, fmt::format("solver {}: the objective is {} after {} epochs; scale the "
                                   "features or take a larger penalty",
                                   options_.solver, objective, point.progress.epochs)});
    epochs_ = point.progress.epochs;
    fitted->points.push_back(point);
    fitted->reached = point.progress.gap <= options_.gap * std::abs(objective);
    if (options_.on_report) options_.on_report(point);
    if (options_.resume.empty() || epochs_ == 0) return {};
    return SaveSolver(options_.resume, of_what_, solver_.Memory());
  }

  Solver& solver_;
  const FitOptions& options_;
  std::string of_what_;
  uint64_t epochs_ = 0;
  double seconds_ = 0;
};

}  // namespace

Result<Fitted> Fit(const ExampleStore& examples, const FitOptions& options) {
  Fitted fitted;
  const auto text = learners::batch::SolverOptionsText(options.solver, options.options);
  if (!text) return tl::unexpected(Error{kConfig, text.error()});
  ThreadTeam team(options.threads);
  const learners::batch::Parallel parallel = [&team](const auto& body) { team.Run(body); };
  const learners::batch::Examples view = examples.View();
  const auto solver =
      learners::batch::MakeSolver(options.solver, options.options, view, options.seed, parallel);
  if (!solver) return tl::unexpected(Error{kData, solver.error()});
  const std::string of_what = fmt::format("{} {} seed={} examples={:016x}", options.solver, *text,
                                          options.seed, options.resume.empty() ? 0 : examples.Digest());
  if (auto done = Fitting(**solver, options, of_what).Run(&fitted); !done)
    return tl::unexpected(done.error());
  if (view.rows.width > 0) fitted.outputs = fitted.weights.size() / view.rows.width;
  return fitted;
}

}  // namespace thresher::pipeline
