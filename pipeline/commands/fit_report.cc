#include "pipeline/commands/fit_report.h"

#include <fmt/format.h>
#include <unistd.h>

#include <nlohmann/json.hpp>
#include <utility>

#include "pipeline/commands/json_output.h"
#include "pipeline/fit/fit_json.h"

namespace thresher::pipeline {
namespace {

constexpr const char* kTableHead =
    "epochs    passes  data accesses        objective           gap  non-zeros   seconds";

std::string Row(const FitPoint& point) {
  const learners::batch::Progress& at = point.progress;
  return fmt::format("{:>6} {:>9.2f} {:>14} {:>#16.10g} {:>13.6e} {:>10} {:>9.3f}", at.epochs, at.passes,
                     at.data_accesses, at.primal, at.gap, at.nonzeros, point.seconds);
}

std::string Row(const PathPoint& point) {
  const learners::batch::Progress& at = point.fit.progress;
  return fmt::format("{:>12.5e} {:>6} {:>#16.10g} {:>12.5e} {:>10} {:>9.5f} {:>9} {:>10} {:>9.3f}", point.l1,
                     at.epochs, at.primal, at.gap, at.nonzeros, 100 * point.train_error,
                     point.test ? fmt::format("{:.5f}", 100 * point.test->error) : "-",
                     point.test ? fmt::format("{:.6f}", point.test->loss) : "-", point.fit.seconds);
}

nlohmann::ordered_json Json(const PathPoint& point) {
  const learners::batch::Progress& at = point.fit.progress;
  nlohmann::ordered_json json = {{"l1", point.l1},
                                 {"epochs", at.epochs},
                                 {"objective", at.primal},
                                 {"gap", at.gap},
                                 {"nonzeros", at.nonzeros},
                                 {"train_error", point.train_error},
                                 {"seconds", point.fit.seconds}};
  if (point.test) {
    json["test_error"] = point.test->error;
    json["test_loss"] = point.test->loss;
  }
  return json;
}

}  // namespace

FitReport::FitReport(const FitOptions& how, std::string options_text, const ExampleStore& examples, bool json)
    : how_(how),
      options_text_(std::move(options_text)),
      examples_(examples),
      json_(json),
      on_terminal_(::isatty(STDERR_FILENO) != 0) {}

void FitReport::Add(const FitPoint& point) {
  if (json_) {
    if (on_terminal_) fmt::print(stderr, "\r{}\x1b[K", Row(point));
    return;
  }
  if (!std::exchange(begun_, true)) PrintHead();
  fmt::print("{}\n", Row(point));
  std::fflush(stdout);
}

void FitReport::End(const Fitted* fitted) {
  if (json_ && on_terminal_) fmt::print(stderr, "\r\x1b[K");
  if (fitted == nullptr) return;
  if (json_) return PrintJson(*fitted);
  fmt::print("\n{}\n", fitted->reached
                           ? fmt::format("stopped at a gap of {:g} of the objective", how_.gap)
                           : fmt::format("stopped after {} epochs, before the gap was {:g} of the objective",
                                         fitted->points.back().progress.epochs, how_.gap));
}

void FitReport::PrintHead() const {
  const learners::batch::Examples view = examples_.View();
  fmt::print("{} {}\n{} examples, {} features, {} non-zeros\n\n{}\n", how_.solver, options_text_,
             view.rows.size(), view.rows.width, view.rows.entries(), kTableHead);
}

void FitReport::PrintJson(const Fitted& fitted) const {
  const learners::batch::Examples view = examples_.View();
  nlohmann::ordered_json points = nlohmann::ordered_json::array();
  for (const FitPoint& point : fitted.points) points.push_back(PointJson(point.progress, point.seconds));
  const nlohmann::ordered_json all = {{"solver", how_.solver},
                                      {"options", options_text_},
                                      {"seed", how_.seed},
                                      {"examples", view.rows.size()},
                                      {"features", view.rows.width},
                                      {"entries", view.rows.entries()},
                                      {"points", points},
                                      {"reached", fitted.reached}};
  WriteJson(all);
}

PathReport::PathReport(size_t examples, double held_out, bool json)
    : examples_(examples), held_out_(held_out), json_(json) {}

void PathReport::Add(const PathPoint& point) {
  if (json_) return;
  if (!std::exchange(begun_, true)) {
    fmt::print(
        "{} examples, the latest {:g} % of each class held out\n\n{:>12} {:>6} {:>16} {:>12} {:>10} {:>9} "
        "{:>9} {:>10} "
        "{:>9}\n",
        examples_, 100 * held_out_, "l1", "epochs", "objective", "gap", "non-zeros", "error%", "held out%",
        "its loss", "seconds");
  }
  fmt::print("{}\n", Row(point));
  std::fflush(stdout);
}

void PathReport::End(const std::vector<PathPoint>& path) const {
  if (!json_) return;
  nlohmann::ordered_json all = nlohmann::ordered_json::array();
  for (const PathPoint& point : path) all.push_back(Json(point));
  WriteJson(all);
}

std::string TrialTable(const Trial& trial, const std::string& learner, const std::string& solver) {
  const auto row = [](const std::string& name, const TrialFigures& figures) {
    return fmt::format("{:<40} {:>11} {:>9} {:>10.4f} {:>9.4f}\n", name, figures.spam_missed,
                       figures.ham_lost, figures.roc_area_above, figures.log_loss);
  };
  std::string table =
      fmt::format("the latest third of each class held out: {} ham, {} spam\n\n", trial.ham, trial.spam);
  table += fmt::format("{:<40} {:>11} {:>9} {:>10} {:>9}\n", "learned from the rest", "spam missed",
                       "ham lost", "(1-ROCA)%", "log-loss");
  table += row(trial.rival_is_live ? learner + ", live: it has learned all" : learner, trial.rival);
  for (const Trial::Fit& fit : trial.fits) {
    std::string name = solver;
    for (const auto& [option, value] : fit.options) name += fmt::format(" {}={}", option, value);
    table += row(name, fit.figures);
  }
  return table;
}

std::string TrialLine(const Trial& trial) {
  const TrialFigures& before = trial.rival;
  const TrialFigures& after = trial.Best().figures;
  return fmt::format(
      "of {} spam and {} ham held out, {} -> {} spam missed, {} -> {} ham lost, (1-ROCA)% {:.4f} -> {:.4f}, "
      "log-loss {:.4f} -> {:.4f}",
      trial.spam, trial.ham, before.spam_missed, after.spam_missed, before.ham_lost, after.ham_lost,
      before.roc_area_above, after.roc_area_above, before.log_loss, after.log_loss);
}

std::vector<Panel> DrawPath(const std::vector<PathPoint>& path) {
  const auto panel = [](const char* title, const char* y_label, bool log_y) {
    return Panel{.title = title, .x_label = "l1", .y_label = y_label, .log_x = true, .log_y = log_y};
  };
  Panel errors = panel("Wrong signs", "% of the examples", false);
  Panel losses = panel("Loss on held-out examples", "mean loss", false);
  Panel sizes = panel("Size of the model", "non-zero weights", true);
  Series learned{.name = "learned"};
  Series held_out{.name = "held out"};
  Series loss{.name = "held out"};
  Series size{.name = "weights"};
  for (const PathPoint& point : path) {
    learned.Add(point.l1, 100 * point.train_error);
    size.Add(point.l1, static_cast<double>(point.fit.progress.nonzeros));
    if (!point.test) continue;
    held_out.Add(point.l1, 100 * point.test->error);
    loss.Add(point.l1, point.test->loss);
  }
  errors.series = {learned};
  sizes.series = {size};
  if (held_out.x.empty()) return {errors, sizes};
  errors.series.push_back(held_out);
  losses.series = {loss};
  return {errors, losses, sizes};
}

}  // namespace thresher::pipeline
