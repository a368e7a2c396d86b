// thresher regret: online learners against the best fixed model in hindsight.
#include "pipeline/fit/regret.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "learners/batch/elastic_net_objective.h"
#include "learners/options.h"
#include "pipeline/commands/command.h"
#include "pipeline/commands/example_flags.h"
#include "pipeline/commands/json_output.h"
#include "pipeline/fit/fitting.h"
#include "pipeline/plot/chart.h"
#include "pipeline/terminal/whole_file.h"

namespace thresher::pipeline {
namespace {

struct RegretFlags {
  ModelFlags model;
  ExampleFlags examples;
  std::vector<std::string> learners = {"ftrl", "lazy-fobos", "lazy-sgd", "l1-ball"};
  double l1 = 0;
  double l2 = 1e-5;
  double gap = 1e-4;
  std::string plot;
  bool json = false;
};

struct LearnerRegret {
  std::string name;
  std::vector<double> at_times;  // average regret at Regrets::times
  Series curve;                  // the same at more times, for the plot
  double mean_loss = 0;          // over all examples
};

struct Regrets {
  std::vector<size_t> times;
  std::vector<LearnerRegret> learners;
  double fixed_loss = 0;  // mean loss of the best fixed model
  FitPoint fit;
  bool is_fitted = false;  // to the gap that was asked for
};

// "NAME", "NAME OPTION=VALUE …".
Result<std::unique_ptr<learners::Learner>> MadeOf(const std::string& text) {
  const size_t name_end = std::min(text.find(' '), text.size());
  const auto options =
      learners::SplitOptions(std::string_view(text).substr(std::min(name_end + 1, text.size())));
  if (!options) return tl::unexpected(Error{kUsage, fmt::format("--learner {}: {}", text, options.error())});
  const std::string name = text.substr(0, name_end);
  if (const auto wrong = learners::WrongOption(name, *options))
    return tl::unexpected(Error{kConfig, fmt::format("--learner {}: {}", text, wrong->what)});
  auto learner = learners::MakeLearner(name, *options);
  if (!learner) return tl::unexpected(Error{kConfig, learner.error()});
  return *std::move(learner);
}

using ComparedLearners = std::vector<std::unique_ptr<learners::Learner>>;

Result<ComparedLearners> MadeOfAll(const std::vector<std::string>& texts) {
  ComparedLearners all;
  for (const std::string& text : texts) {
    auto learner = MadeOf(text);
    if (!learner) return tl::unexpected(learner.error());
    all.push_back(*std::move(learner));
  }
  return all;
}

Result<Regrets> RegretsOf(const RegretFlags& flags, const ExampleStore& examples, ComparedLearners learners) {
  const auto best =
      Fit(examples, {.solver = "sdca",
                     .options = {{"l1", fmt::format("{}", flags.l1)}, {"l2", fmt::format("{}", flags.l2)}},
                     .gap = flags.gap,
                     .resume = {},
                     .start = {}});
  if (!best) return tl::unexpected(best.error());
  Regrets regrets;
  regrets.times = RoundNumbersUpTo(examples.size());
  const std::vector<size_t> plot_times = PlacesUpTo(examples.size());
  regrets.fit = best->points.back();
  regrets.is_fitted = best->reached;
  const std::vector<double> fixed = FixedLosses(examples, best->weights);
  const auto mean = [](const std::vector<double>& losses) {
    double sum = 0;
    for (const double loss : losses) sum += loss;
    return sum / static_cast<double>(losses.size());
  };
  regrets.fixed_loss = mean(fixed);
  for (size_t k = 0; k < learners.size(); ++k) {
    const std::string& name = flags.learners[k];
    const std::vector<double> online = OnlineLosses(examples, std::move(learners[k]));
    regrets.learners.push_back({.name = name,
                                .at_times = AverageRegret(online, fixed, regrets.times),
                                .curve = {.name = name,
                                          .x = std::vector<double>(plot_times.begin(), plot_times.end()),
                                          .y = AverageRegret(online, fixed, plot_times)},
                                .mean_loss = mean(online)});
  }
  return regrets;
}

void PrintRegrets(const Regrets& regrets) {
  fmt::print("best fixed model: mean loss {:.6f}, {} non-zeros, gap {:.3e} of an objective of {:.6f}\n",
             regrets.fixed_loss, regrets.fit.progress.nonzeros, regrets.fit.progress.gap,
             regrets.fit.progress.primal);
  if (!regrets.is_fitted) {
    fmt::print("its fit stopped after {} epochs, before --gap was reached: there may be a better one\n",
               regrets.fit.progress.epochs);
  }
  fmt::print("\n{:>9}", "examples");
  constexpr size_t kNarrowest = 18;
  std::vector<size_t> widths;
  for (const LearnerRegret& learner : regrets.learners) {
    widths.push_back(std::max(learner.name.size(), kNarrowest));
    fmt::print(" {:>{}}", learner.name, widths.back());
  }
  fmt::print("\n");
  for (size_t k = 0; k < regrets.times.size(); ++k) {
    fmt::print("{:>9}", regrets.times[k]);
    for (size_t c = 0; c < widths.size(); ++c)
      fmt::print(" {:>{}.6f}", regrets.learners[c].at_times[k], widths[c]);
    fmt::print("\n");
  }
  fmt::print("\n{:>9}", "mean loss");
  for (size_t c = 0; c < widths.size(); ++c)
    fmt::print(" {:>{}.6f}", regrets.learners[c].mean_loss, widths[c]);
  fmt::print("\n");
}

void PrintRegretsAsJson(const Regrets& regrets) {
  nlohmann::ordered_json curves = nlohmann::ordered_json::object();
  for (const LearnerRegret& learner : regrets.learners)
    curves[learner.name] = {{"mean_loss", learner.mean_loss}, {"average_regret", learner.at_times}};
  const nlohmann::ordered_json all = {{"fixed_loss", regrets.fixed_loss},
                                      {"objective", regrets.fit.progress.primal},
                                      {"gap", regrets.fit.progress.gap},
                                      {"reached", regrets.is_fitted},
                                      {"nonzeros", regrets.fit.progress.nonzeros},
                                      {"examples", regrets.times},
                                      {"learners", curves}};
  WriteJson(all);
}

Panel Plot(const Regrets& regrets) {
  Panel panel{.title = "Regret against the best fixed model",
              .x_label = "examples learned",
              .y_label = "average regret (logistic loss)",
              .log_x = true,
              .y_from_zero = true};
  for (const LearnerRegret& learner : regrets.learners) panel.series.push_back(learner.curve);
  return panel;
}

Result<int> Regret(const RegretFlags& flags) {
  const Result<Settings> settings = flags.model.Resolve();
  if (!settings) return tl::unexpected(settings.error());
  // Before the fit, so that no fit is lost.
  auto learners = MadeOfAll(flags.learners);
  if (!learners) return tl::unexpected(learners.error());
  auto file = WholeFile::OpenIfNamed(flags.plot);
  if (!file) return tl::unexpected(file.error());
  const auto examples = flags.examples.Load(*settings);
  if (!examples) return tl::unexpected(examples.error());
  const auto regrets = RegretsOf(flags, examples->store, *std::move(learners));
  if (!regrets) return tl::unexpected(regrets.error());
  flags.json ? PrintRegretsAsJson(*regrets) : PrintRegrets(*regrets);
  const int exit_code = examples->unread > 0 ? kNoInput : 0;
  if (!*file) return exit_code;
  (*file)->Write(Svg({Plot(*regrets)}));
  if (auto closed = (*file)->Close(); !closed) return tl::unexpected(closed.error());
  return exit_code;
}

}  // namespace

void AddRegret(CommandLine& line) {
  Command command = line.Add("regret", "Compare online learners with the best fixed model in hindsight");
  command.Footer(
      "Each learner trains on the examples in their order, with the given options and its defaults\n"
      "otherwise. Its average regret after t examples is the mean, over these, of its logistic loss before\n"
      "it trained on each, minus the loss of the fixed weights that minimise the loss of all examples with\n"
      "the penalties --l1 and --l2. Without INPUT, the examples are those of the model.\n"
      "Exit code: 0; 65 if an input is malformed; 66 if an input, or a message of an index, cannot be read;\n"
      "78 if an option is wrong.");
  RegretFlags& flags = command.Runs(Regret);
  flags.model.AddTo(command);
  flags.examples.AddTo(command);
  command
      .Add("--learner", &flags.learners,
           "Learner to compare, as \"NAME\" or \"NAME OPTION=VALUE …\"; may be repeated")
      .OneValueEachTime()
      .ShowDefault();
  command.Add("--l1", &flags.l1, "Penalty of the fixed model on ‖w‖₁")
      .Check(Takes(learners::batch::BatchPenaltyOption({}, {}, {})))
      .ShowDefault();
  command.Add("--l2", &flags.l2, "Penalty of the fixed model on ‖w‖²/2")
      .Check(Takes(learners::batch::BatchPenaltyOption({}, {}, {}, false)))
      .ShowDefault();
  command.Add("--gap", &flags.gap, "Stop the fixed model's fit at this relative gap, as in fit")
      .Check(Fraction())
      .ShowDefault();
  command.Add("--plot", &flags.plot, "SVG file for a plot of the curves").WritesWhole();
  command.Add("--json", &flags.json, "Print JSON");
}

}  // namespace thresher::pipeline
