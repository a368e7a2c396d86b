// thresher regret: online learners against the best fixed model in hindsight.
#include "pipeline/fit/regret.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>

#include "learners/options.h"
#include "pipeline/commands/command.h"
#include "pipeline/commands/example_flags.h"
#include "pipeline/fit/curve_plot.h"
#include "pipeline/fit/fitting.h"
#include "pipeline/output_file.h"

namespace thresher::pipeline {
namespace {

struct Flags {
  ModelFlags model;
  ExampleFlags examples;
  std::vector<std::string> learners = {"ftrl", "lazy-fobos", "lazy-sgd", "l1-ball"};
  double l1 = 0;
  double l2 = 1e-5;
  double gap = 1e-4;
  std::string plot;
  bool json = false;
};

struct Regrets {
  std::vector<size_t> times;
  std::vector<Curve> curves;  // one for each learner
  std::vector<size_t> plot_times;
  std::vector<Curve> plot_curves;
  std::vector<double> mean_loss;  // of each learner, over all examples
  double fixed_loss = 0;          // of the best fixed model
  FitPoint fit;
};

// "NAME", "NAME OPTION=VALUE …".
Result<std::unique_ptr<learners::Learner>> MadeOf(const std::string& text) {
  const size_t name_end = std::min(text.find(' '), text.size());
  const auto options =
      learners::SplitOptions(std::string_view(text).substr(std::min(name_end + 1, text.size())));
  if (!options) return tl::unexpected(Error{kUsage, fmt::format("--learner {}: {}", text, options.error())});
  auto learner = learners::MakeLearner(text.substr(0, name_end), *options);
  if (!learner) return tl::unexpected(Error{kConfig, learner.error()});
  return *std::move(learner);
}

Result<Regrets> RegretsOf(const Flags& flags, const ExampleStore& examples) {
  const auto best =
      Fit(examples, {.solver = "sdca",
                     .options = {{"l1", fmt::format("{}", flags.l1)}, {"l2", fmt::format("{}", flags.l2)}},
                     .gap = flags.gap,
                     .resume = {},
                     .start = {}});
  if (!best) return tl::unexpected(best.error());
  Regrets regrets;
  regrets.times = RoundNumbersUpTo(examples.size());
  regrets.plot_times = PlacesUpTo(examples.size());
  regrets.fit = best->points.back();
  const std::vector<double> fixed = FixedLosses(examples, best->weights);
  const auto mean = [](const std::vector<double>& losses) {
    double sum = 0;
    for (const double loss : losses) sum += loss;
    return sum / static_cast<double>(losses.size());
  };
  regrets.fixed_loss = mean(fixed);
  for (const std::string& name : flags.learners) {
    const auto learner = MadeOf(name);
    if (!learner) return tl::unexpected(learner.error());
    const std::vector<double> online = OnlineLosses(examples, **learner);
    regrets.curves.push_back({name, AverageRegret(online, fixed, regrets.times)});
    regrets.plot_curves.push_back({name, AverageRegret(online, fixed, regrets.plot_times)});
    regrets.mean_loss.push_back(mean(online));
  }
  return regrets;
}

void PrintText(const Regrets& regrets) {
  fmt::print(
      "best fixed model: mean loss {:.6f}, {} non-zeros, gap {:.3e} of an objective of {:.6f}\n\n{:>9}",
      regrets.fixed_loss, regrets.fit.progress.nonzeros, regrets.fit.progress.gap,
      regrets.fit.progress.primal, "examples");
  constexpr size_t kNarrowest = 18;
  std::vector<size_t> widths;
  for (const Curve& curve : regrets.curves) {
    widths.push_back(std::max(curve.name.size(), kNarrowest));
    fmt::print(" {:>{}}", curve.name, widths.back());
  }
  fmt::print("\n");
  for (size_t k = 0; k < regrets.times.size(); ++k) {
    fmt::print("{:>9}", regrets.times[k]);
    for (size_t c = 0; c < widths.size(); ++c)
      fmt::print(" {:>{}.6f}", regrets.curves[c].values[k], widths[c]);
    fmt::print("\n");
  }
  fmt::print("\n{:>9}", "mean loss");
  for (size_t c = 0; c < widths.size(); ++c) fmt::print(" {:>{}.6f}", regrets.mean_loss[c], widths[c]);
  fmt::print("\n");
}

void PrintJson(const Regrets& regrets) {
  nlohmann::ordered_json curves = nlohmann::ordered_json::object();
  for (size_t c = 0; c < regrets.curves.size(); ++c) {
    curves[regrets.curves[c].name] = {{"mean_loss", regrets.mean_loss[c]},
                                      {"average_regret", regrets.curves[c].values}};
  }
  const nlohmann::ordered_json all = {
      {"fixed_loss", regrets.fixed_loss}, {"objective", regrets.fit.progress.primal},
      {"gap", regrets.fit.progress.gap},  {"nonzeros", regrets.fit.progress.nonzeros},
      {"examples", regrets.times},        {"learners", curves}};
  fmt::print("{}\n", all.dump(2));
}

Result<int> Regret(const Flags& flags) {
  const Result<Settings> settings = flags.model.Resolve();
  if (!settings) return tl::unexpected(settings.error());
  std::optional<OutputFile> file;  // opened first, so as not to fit for nothing
  if (!flags.plot.empty()) {
    auto opened = OutputFile::Open(flags.plot);
    if (!opened) return tl::unexpected(opened.error());
    file = *std::move(opened);
  }
  const auto examples = flags.examples.Load(*settings);
  if (!examples) return tl::unexpected(examples.error());
  const auto regrets = RegretsOf(flags, examples->store);
  if (!regrets) return tl::unexpected(regrets.error());
  flags.json ? PrintJson(*regrets) : PrintText(*regrets);
  if (!file) return 0;
  file->Write(PlotCurves({"Online learners against the best fixed model in hindsight", "examples learned",
                          "average regret (logistic loss)"},
                         regrets->plot_times, regrets->plot_curves));
  if (auto closed = file->Close(); !closed) return tl::unexpected(closed.error());
  return 0;
}

}  // namespace

void AddRegret(CLI::App& app, int* exit_code) {
  CLI::App* command =
      app.add_subcommand("regret", "Compare online learners with the best fixed model in hindsight");
  command->footer(
      "Each learner, with the options named and its defaults, learns the examples in their order; its "
      "average regret after "
      "t "
      "of them is the mean, over\n"
      "these, of its logistic loss before it learned each, less that of the weights that minimise the loss "
      "of "
      "all, with the penalties of\n"
      "--l1 and --l2, to --gap. Without INPUT, the examples are those that the model was taught.");
  auto flags = std::make_shared<Flags>();
  flags->model.AddTo(command);
  flags->examples.AddTo(command);
  command
      ->add_option("--learner", flags->learners,
                   "Learners to compare, \"NAME\" or \"NAME OPTION=VALUE …\"; may be repeated")
      ->allow_extra_args(false)
      ->capture_default_str();
  command->add_option("--l1", flags->l1, "Penalty of the fixed model on ‖w‖₁")->capture_default_str();
  command->add_option("--l2", flags->l2, "Penalty of the fixed model on ‖w‖²/2")->capture_default_str();
  command->add_option("--gap", flags->gap, "How near it is to its minimum, as in fit")
      ->check(Fraction())
      ->capture_default_str();
  command->add_option("--plot", flags->plot, "File for a plot of the curves (SVG)");
  command->add_flag("--json", flags->json, "Print JSON");
  command->callback([=] { *exit_code = Run([&] { return Regret(*flags); }); });
}

}  // namespace thresher::pipeline
