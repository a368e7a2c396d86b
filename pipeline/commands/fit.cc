// thresher fit: batch solvers over stored examples.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <optional>
#include <utility>

#include "pipeline/commands/command.h"
#include "pipeline/commands/command_access.h"
#include "pipeline/commands/distributed_flags.h"
#include "pipeline/commands/example_flags.h"
#include "pipeline/commands/fit_report.h"
#include "pipeline/fit/filing_costs.h"
#include "pipeline/fit/fitting.h"
#include "pipeline/fit/folder_model.h"
#include "pipeline/fit/installing.h"
#include "pipeline/fit/path.h"
#include "pipeline/fit/trial.h"
#include "pipeline/input/complaints.h"
#include "pipeline/model/model.h"
#include "pipeline/opening/opening.h"
#include "pipeline/plot/chart.h"
#include "pipeline/terminal/progress.h"
#include "pipeline/terminal/whole_file.h"

namespace thresher::pipeline {
namespace {

struct FitFlags {
  ModelFlags model;
  ExampleFlags examples;
  DistributedFlags distributed;
  std::string solver = "sdca";
  std::vector<std::string> options;
  double gap = 1e-4;
  uint64_t epochs = 1000;
  uint64_t seed = 1;
  std::string resume;
  std::string weights;
  std::string folders;
  std::string costs;
  std::string plot;
  uint64_t path = 0;
  double held_out = 0.2;
  bool install = false;
  bool insist = false;
  bool json = false;
};

Result<learners::OptionValues> OptionsOf(const std::vector<std::string>& assignments) {
  learners::OptionValues options;
  for (const std::string& assignment : assignments) {
    const size_t equals = assignment.find('=');
    if (equals == std::string::npos)
      return tl::unexpected(Error{kUsage, fmt::format("--option {}: expected NAME=VALUE", assignment)});
    options[assignment.substr(0, equals)] = assignment.substr(equals + 1);
  }
  return options;
}

// A line for each feature of which some weight is not 0: its number, and the weights.
void WriteWeights(WholeFile& file, const ExampleStore& examples, const Fitted& fitted) {
  for (size_t j = 0; j < examples.ids().size(); ++j) {
    const auto weights = std::span(fitted.weights).subspan(j * fitted.outputs, fitted.outputs);
    if (learners::batch::CountNonzeros(weights) == 0) continue;
    file.Write(fmt::format("{} {}\n", examples.ids()[j], fmt::join(weights, " ")));
  }
}

Result<void> FitPathAndPrint(const FitFlags& flags, const ExampleStore& examples, FitOptions options) {
  auto plot = WholeFile::OpenIfNamed(flags.plot);
  if (!plot) return tl::unexpected(plot.error());
  PathReport report(examples.size(), flags.held_out, flags.json);
  const auto path =
      FitPath(examples, {.fit = std::move(options), .points = flags.path, .held_out = flags.held_out},
              [&](const PathPoint& point) { report.Add(point); });
  if (!path) return tl::unexpected(path.error());
  report.End(*path);
  if (!*plot) return {};
  (*plot)->Write(Svg(DrawPath(*path)));
  return (*plot)->Close();
}

// Fits, and says all there is to say of it.
Result<Fitted> FitAndPrint(const FitFlags& flags, const ExampleStore& examples, FitOptions how) {
  const auto options_text = learners::batch::SolverOptionsText(how.solver, how.options);
  if (!options_text) return tl::unexpected(Error{kConfig, options_text.error()});
  FitReport report(how, *options_text, examples, flags.json);
  how.on_report = [&](const FitPoint& point) { report.Add(point); };
  auto fitted = Fit(examples, how);
  report.End(fitted ? &*fitted : nullptr);
  return fitted;
}

// Weights by which messages are filed into the folders they were found in.
Result<int> FitFolders(const FitFlags& flags, const Settings& settings, const FitOptions& how) {
  auto file = WholeFile::OpenIfNamed(flags.weights);
  if (!file) return tl::unexpected(file.error());
  Complaints complaints([](const Error& error) { Fail(error); });
  auto examples = [&] {
    Progress progress("messages", 0);
    return LoadFolders(
        flags.folders, settings, flags.examples.kind(), [&](const Error& error) { complaints.Add(error); },
        [&](uint64_t done) { progress.Set(done); });
  }();
  complaints.End();
  if (!examples) return tl::unexpected(examples.error());
  std::vector<double> costs;
  if (!flags.costs.empty()) {
    auto read = ReadFilingCosts(flags.costs, examples->folders);
    if (!read) return tl::unexpected(read.error());
    costs = *std::move(read);
  }
  examples->store.SetClasses(static_cast<uint32_t>(examples->folders.size()), std::move(costs));
  const auto fitted = FitAndPrint(flags, examples->store, how);
  if (!fitted) return tl::unexpected(fitted.error());
  const int exit_code = examples->tally.ExitCode();
  if (!*file) return exit_code;
  FolderModel::Write(**file, settings, *examples, fitted->weights);
  if (auto closed = (*file)->Close(); !closed) return tl::unexpected(closed.error());
  return exit_code;
}

// The solver's options to install with. Given none, those that the trial chooses. An error if the result
// would do worse than the model, or if nothing shows that it would not.
Result<learners::OptionValues> TryAndPrint(const FitFlags& flags, const Settings& settings,
                                           const StoredExamples& examples, const FitOptions& how) {
  const bool is_default = flags.options.empty() && flags.solver == FitFlags().solver;
  const auto trial = TryBeforeInstalling(ModelDirectory(settings), settings, examples, how,
                                         is_default ? PenaltiesToTry() : std::vector{how.options});
  if (!trial) return tl::unexpected(trial.error());
  if (!flags.json) fmt::print("{}\n", TrialTable(*trial, examples.identity.learner->Name(), how.solver));
  const bool passes = trial->chosen && !trial->IsSmall();
  if (passes || flags.insist) {
    fmt::print(stderr, "{}{}\n", TrialLine(*trial), passes ? "" : "; installing all the same");
    return trial->Best().options;
  }
  return tl::unexpected(Error{
      kData,
      fmt::format(
          "{}: not installed{}; --insist installs all the same", TrialLine(*trial),
          trial->chosen ? fmt::format(", for fewer than {} of a class show nothing", kTrialLeast) : "")});
}

// What would refuse the result is known before the fit, which may take hours. Another writer would not: it
// may have ended by then, and what it teaches meanwhile is learned on top.
Result<void> CheckMayInstall(const Settings& settings) {
  const std::filesystem::path directory = ModelDirectory(settings);
  const auto stored = OpenStored(directory, settings);
  if (!stored) return tl::unexpected(stored.error());
  if (auto may = CheckFollows(stored->database->meta(), /*follows=*/"", directory); !may) return may;
  return CheckCanInstall(*stored->identity.learner);
}

Result<void> InstallAndPrint(const Settings& settings, const StoredExamples& examples, const Fitted& fitted) {
  auto model = OpenModel(ModelDirectory(settings), settings, CommandAccess(settings));
  if (!model) return tl::unexpected(model.error());
  const auto left_out = Install(examples, fitted.weights, **model);
  if (!left_out) return tl::unexpected(left_out.error());
  if (auto done = (*model)->Compact(); !done) return done;
  fmt::print(stderr, "installed: {} weights{}; {} examples came since and were learned\n",
             fitted.points.back().progress.nonzeros - *left_out,
             *left_out == 0 ? "" : fmt::format(" ({} left out: their text has expired)", *left_out),
             (*model)->Inspect().log().last_seq - examples.last_seq);
  return {};
}

// Fits, and writes the weights into `file`, if there is one.
Result<Fitted> FitAndWrite(const FitFlags& flags, const ExampleStore& examples, FitOptions how,
                           std::optional<WholeFile>& file) {
  auto fitted = FitAndPrint(flags, examples, std::move(how));
  if (!fitted || !file) return fitted;
  WriteWeights(*file, examples, *fitted);
  if (auto closed = file->Close(); !closed) return tl::unexpected(closed.error());
  return fitted;
}

Result<int> FitAndInstall(const FitFlags& flags, const Settings& settings, FitOptions how) {
  auto file = WholeFile::OpenIfNamed(flags.weights);
  if (!file) return tl::unexpected(file.error());
  if (auto may = CheckMayInstall(settings); !may) return tl::unexpected(may.error());
  const auto stored = LoadModelExamples(settings);
  if (!stored) return tl::unexpected(stored.error());
  auto options = TryAndPrint(flags, settings, *stored, how);
  if (!options) return tl::unexpected(options.error());
  how.options = *std::move(options);
  const auto fitted = FitAndWrite(flags, stored->store, std::move(how), *file);
  if (!fitted) return tl::unexpected(fitted.error());
  return InstallAndPrint(settings, *stored, *fitted).map([] { return 0; });
}

Result<int> FitExamples(const FitFlags& flags, const Settings& settings, FitOptions how, bool is_multiclass) {
  auto file = WholeFile::OpenIfNamed(flags.weights);
  if (!file) return tl::unexpected(file.error());
  auto loaded = flags.examples.Load(settings);
  if (!loaded) return tl::unexpected(loaded.error());
  if (is_multiclass) loaded->store.MakeClasses();
  const int exit_code = loaded->unread > 0 ? kNoInput : 0;
  if (flags.path > 0)
    return FitPathAndPrint(flags, loaded->store, std::move(how)).map([&] { return exit_code; });
  return FitAndWrite(flags, loaded->store, std::move(how), *file).map([&](const Fitted&) {
    return exit_code;
  });
}

Result<int> FitCommand(const FitFlags& flags) {
  const Result<Settings> settings = flags.model.Resolve();
  if (!settings) return tl::unexpected(settings.error());
  const auto options = OptionsOf(flags.options);
  if (!options) return tl::unexpected(options.error());
  if (flags.distributed.on) {
    return flags.distributed.Run({.input = {},
                                  .solver = flags.solver,
                                  .options = *options,
                                  .gap = flags.gap,
                                  .epochs = flags.epochs,
                                  .seed = flags.seed,
                                  .resume = flags.resume,
                                  .weights = flags.weights,
                                  .json = flags.json},
                                 flags.examples.inputs);
  }
  const auto options_text = learners::batch::SolverOptionsText(flags.solver, *options);
  if (!options_text) return tl::unexpected(Error{kConfig, options_text.error()});
  const bool is_multiclass = learners::batch::FindSolver(flags.solver)->multiclass;
  if (flags.install && (is_multiclass || !flags.examples.inputs.empty()))
    return tl::unexpected(
        Error{kUsage, "--install takes what the model itself was taught, and one weight a feature"});
  if (!flags.folders.empty() && !is_multiclass)
    return tl::unexpected(Error{kUsage, "--folders takes a multiclass solver: --solver multiclass-sdca"});
  if (!flags.costs.empty() && flags.solver != "multiclass-sdca")
    return tl::unexpected(Error{kUsage, "--costs takes --solver multiclass-sdca"});
  const FitOptions how = {.solver = flags.solver,
                          .options = *options,
                          .seed = flags.seed,
                          .gap = flags.gap,
                          .epochs = flags.epochs,
                          .threads = settings->ThreadsToUse(),
                          .resume = flags.resume,
                          .start = {}};
  if (flags.install) return FitAndInstall(flags, *settings, how);
  if (!flags.folders.empty()) return FitFolders(flags, *settings, how);
  return FitExamples(flags, *settings, how, is_multiclass);
}

void AddSolver(FitFlags& flags, Command command) {
  command.Add("--solver", &flags.solver, "Batch solver").ShowDefault();
  command.Add("--option", &flags.options, "NAME=VALUE: an option of the solver; may be repeated")
      .OneValueEachTime();
  command.Add("--gap", &flags.gap, "Stop when gap divided by objective is at most this")
      .Check(Fraction())
      .ShowDefault();
  command.Add("--epochs", &flags.epochs, "Stop after this number of epochs")
      .Check(WholeNumber())
      .ShowDefault();
  command.Add("--seed", &flags.seed, "Seed of the random choices").Check(WholeNumber()).ShowDefault();
  command
      .Add("--resume", &flags.resume,
           "File for the state of the solver: continued from if it exists, written with each row")
      .WritesWhole();
}

void AddPath(FitFlags& flags, Command command) {
  command
      .Add("--path", &flags.path,
           "Fit for this number of l1 penalties, from the one where all weights are 0 down to the solver's "
           "l1; each fit starts from the weights of the previous one")
      .Check(WholeNumber(1000, 2))
      .Excludes({"--install", "--weights", "--resume", "--folders"});
  command
      .Add("--held-out", &flags.held_out,
           "Share of the examples, the latest ones of each class, on which a path is tested")
      .Check(Fraction(0.9))
      .Needs("--path")
      .ShowDefault();
  command.Add("--plot", &flags.plot, "SVG file for a plot of the path").Needs("--path").WritesWhole();
}

}  // namespace

void AddFit(CommandLine& line) {
  Command command = line.Add("fit", "Fit weights to stored examples by a batch solver");
  command.Footer(
      "Without INPUT, fits to the examples of the model as they are at this moment. `thresher learners`\n"
      "lists the solvers with their options. A row is printed for each of the first epochs and then after\n"
      "every eighth more; gap bounds the distance of the objective to its minimum. The same examples,\n"
      "options and seed give the same bits, also after an interruption that --resume continues.\n"
      "Exit code: 0; 65 if an input or a state file is malformed, or --install is refused; 66 if an input,\n"
      "or a message of an index or a folder, cannot be read: the others are fitted; 75 if another process\n"
      "is writing to the model of --install; 78 if an option is wrong.");
  FitFlags& flags = command.Runs(FitCommand);
  flags.model.AddTo(command);
  flags.model.AddSetting(command, "--threads", "replay.threads");
  flags.examples.AddTo(command);
  AddSolver(flags, command);
  command
      .Add("--weights", &flags.weights,
           "File for the weights: one line per feature with its number and weight")
      .WritesWhole();
  command.Add("--install", &flags.install,
              "Make the result the live model, which its learner continues to train; examples that "
              "arrived during the fit are trained on top. Refused if it does worse on held-out mail than the "
              "model's learner");
  command.Add("--insist", &flags.insist, "Install even so").Needs("--install");
  command
      .Add("--folders", &flags.folders,
           "Folder whose subfolders or mboxes are the classes of a multiclass solver; --weights FILE is then "
           "for `thresher classify --folders`")
      .Excludes({"INPUT", "--install"})
      .Reads();
  command
      .Add("--costs", &flags.costs,
           "File with what it costs to file a message of one folder into another, a line COST, FOLDER, INTO "
           "each, separated by tabs; * is any folder; other mistakes cost 1")
      .Needs("--folders")
      .Reads();
  AddPath(flags, command);
  flags.model.AddSetting(command, "--wait", "store.wait_seconds");
  command.Add("--json", &flags.json, "Print JSON");
  flags.distributed.AddTo(command);
}

}  // namespace thresher::pipeline
