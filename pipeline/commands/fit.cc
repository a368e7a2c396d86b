// thresher fit: batch solvers over stored examples.
#include <fmt/format.h>
#include <unistd.h>

#include <nlohmann/json.hpp>
#include <optional>
#include <thread>

#include "pipeline/commands/command.h"
#include "pipeline/fit/example_source.h"
#include "pipeline/fit/fitting.h"
#include "pipeline/fit/folder_model.h"
#include "pipeline/fit/installing.h"
#include "pipeline/fit/path.h"
#include "pipeline/model.h"
#include "pipeline/output_file.h"
#include "pipeline/progress.h"
#include "pipeline/teaching.h"

namespace thresher::pipeline {
namespace {

struct Flags {
  ModelFlags model;
  std::vector<std::string> inputs;
  bool document = false;
  std::string solver = "sdca";
  std::vector<std::string> options;
  double gap = 1e-4;
  uint64_t epochs = 1000;
  uint64_t seed = 1;
  std::string resume;
  std::string weights;
  std::string folders;
  uint64_t path = 0;
  double held_out = 0.2;
  bool install = false;
  bool json = false;
};

size_t ThreadsOf(const Settings& settings) {
  return settings.replay_threads > 0 ? settings.replay_threads
                                     : std::max(1U, std::thread::hardware_concurrency());
}

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

Result<ExampleStore> LoadInputs(const Flags& flags, const Settings& settings, const OnProgress& on_progress) {
  const auto is_index = IsTrecIndex(flags.inputs.front());
  if (!is_index) return tl::unexpected(is_index.error());
  if (!*is_index) return LoadExampleFiles(flags.inputs, on_progress);
  const auto kind = flags.document ? tokenizer::Kind::kDocument : tokenizer::Kind::kMail;
  return LoadTrecExamples(
      flags.inputs, settings, kind, ThreadsOf(settings), [](const Error& error) { Fail(error); },
      on_progress);
}

// What is fitted, and up to where it is the model's log; 0 if it is not.
struct Loaded {
  ExampleStore examples;
  uint64_t last_seq = 0;
};

Result<Loaded> Load(const Flags& flags, const Settings& settings) {
  Progress progress("examples", 0);
  const auto on_progress = [&](uint64_t done) { progress.Set(done); };
  if (flags.inputs.empty()) {
    auto stored = LoadStoredExamples(ModelDirectory(settings), settings, on_progress);
    if (!stored) return tl::unexpected(stored.error());
    return Loaded{std::move(stored->store), stored->last_seq};
  }
  auto examples = LoadInputs(flags, settings, on_progress);
  if (!examples) return tl::unexpected(examples.error());
  return Loaded{*std::move(examples)};
}
constexpr const char* kTableHead =
    "epochs    passes  data accesses        objective           gap  non-zeros   seconds";

std::string Row(const FitPoint& point) {
  const learners::batch::Progress& at = point.progress;
  return fmt::format("{:>6} {:>9.2f} {:>14} {:>16.10f} {:>13.6e} {:>10} {:>9.3f}", at.epochs, at.passes,
                     at.data_accesses, at.primal, at.gap, at.nonzeros, point.seconds);
}

// On a terminal, the last row so far.
void Show(const FitPoint& point) {
  if (::isatty(STDERR_FILENO) == 0) return;
  fmt::print(stderr, "\r{}\x1b[K", Row(point));
  std::fflush(stderr);
}

void ClearShown() {
  if (::isatty(STDERR_FILENO) != 0) fmt::print(stderr, "\r\x1b[K");
}

void PrintText(const Flags& flags, const ExampleStore& examples, const Fitted& fitted) {
  const learners::batch::Examples view = examples.View();
  fmt::print("{} {}\n{} examples, {} features, {} non-zeros\n\n{}\n", flags.solver, fitted.options_text,
             view.rows.size(), view.rows.width, view.rows.entries(), kTableHead);
  for (const FitPoint& point : fitted.points) fmt::print("{}\n", Row(point));
  fmt::print("\n{}\n", fitted.reached
                           ? fmt::format("stopped at a gap of {:g} of the objective", flags.gap)
                           : fmt::format("stopped after {} epochs, before the gap was {:g} of the objective",
                                         fitted.points.back().progress.epochs, flags.gap));
}

void PrintJson(const Flags& flags, const ExampleStore& examples, const Fitted& fitted) {
  const learners::batch::Examples view = examples.View();
  nlohmann::ordered_json points = nlohmann::ordered_json::array();
  for (const FitPoint& point : fitted.points) {
    const learners::batch::Progress& at = point.progress;
    points.push_back({{"epochs", at.epochs},
                      {"passes", at.passes},
                      {"data_accesses", at.data_accesses},
                      {"objective", at.primal},
                      {"gap", at.gap},
                      {"nonzeros", at.nonzeros},
                      {"seconds", point.seconds}});
  }
  const nlohmann::ordered_json all = {{"solver", flags.solver},
                                      {"options", fitted.options_text},
                                      {"seed", flags.seed},
                                      {"examples", view.rows.size()},
                                      {"features", view.rows.width},
                                      {"entries", view.rows.entries()},
                                      {"points", points},
                                      {"reached", fitted.reached}};
  fmt::print("{}\n", all.dump(2));
}

// A line for each feature of which some weight is not 0: its number, and the weights.
Result<void> WriteWeights(const std::string& path, const ExampleStore& examples, const Fitted& fitted) {
  auto file = OutputFile::Open(path);
  if (!file) return tl::unexpected(file.error());
  for (size_t j = 0; j < examples.ids().size(); ++j) {
    const auto weights = std::span(fitted.weights).subspan(j * fitted.outputs, fitted.outputs);
    if (learners::batch::CountNonzeros(weights) == 0) continue;
    file->Write(fmt::format("{} {}\n", examples.ids()[j], fmt::join(weights, " ")));
  }
  return file->Close();
}

std::string Row(const PathPoint& point) {
  const learners::batch::Progress& at = point.fit.progress;
  return fmt::format("{:>12.5e} {:>6} {:>14.10f} {:>12.5e} {:>10} {:>9.5f} {:>9.5f} {:>10.6f} {:>9.3f}",
                     point.l1, at.epochs, at.primal, at.gap, at.nonzeros, 100 * point.train_error,
                     100 * point.test_error, point.test_loss, point.fit.seconds);
}

nlohmann::ordered_json Json(const PathPoint& point) {
  const learners::batch::Progress& at = point.fit.progress;
  return {{"l1", point.l1},
          {"epochs", at.epochs},
          {"objective", at.primal},
          {"gap", at.gap},
          {"nonzeros", at.nonzeros},
          {"train_error", point.train_error},
          {"test_error", point.test_error},
          {"test_loss", point.test_loss},
          {"seconds", point.fit.seconds}};
}

Result<int> Path(const Flags& flags, const ExampleStore& examples, FitOptions options) {
  if (!flags.json) {
    fmt::print(
        "{} examples, the last {:g} % held out\n\n{:>12} {:>6} {:>14} {:>12} {:>10} {:>9} {:>9} {:>10} "
        "{:>9}\n",
        examples.size(), 100 * flags.held_out, "l1", "epochs", "objective", "gap", "non-zeros", "error%",
        "held out%", "its loss", "seconds");
  }
  const auto on_point = [&](const PathPoint& point) {
    if (!flags.json) fmt::print("{}\n", Row(point));
    std::fflush(stdout);
  };
  options.on_report = {};
  const auto path = FitPath(
      examples, {.fit = std::move(options), .points = flags.path, .held_out = flags.held_out}, on_point);
  if (!path) return tl::unexpected(path.error());
  if (!flags.json) return 0;
  nlohmann::ordered_json all = nlohmann::ordered_json::array();
  for (const PathPoint& point : *path) all.push_back(Json(point));
  fmt::print("{}\n", all.dump(2));
  return 0;
}

// Weights by which messages are filed into the folders they were found in.
Result<int> FitFolders(const Flags& flags, const Settings& settings, const FitOptions& how) {
  const auto kind = flags.document ? tokenizer::Kind::kDocument : tokenizer::Kind::kMail;
  auto examples = [&] {
    Progress progress("messages", 0);
    return LoadFolders(
        flags.folders, settings, kind, [](const Error& error) { Fail(error); },
        [&](uint64_t done) { progress.Set(done); });
  }();
  if (!examples) return tl::unexpected(examples.error());
  examples->store.SetClasses(static_cast<uint32_t>(examples->folders.size()));
  const auto fitted = Fit(examples->store, how);
  ClearShown();
  if (!fitted) return tl::unexpected(fitted.error());
  flags.json ? PrintJson(flags, examples->store, *fitted) : PrintText(flags, examples->store, *fitted);
  if (flags.weights.empty()) return 0;
  if (auto written = FolderModel::Write(flags.weights, settings, *examples, fitted->weights); !written)
    return tl::unexpected(written.error());
  return 0;
}

Result<void> Install(const Settings& settings, const ExampleStore& examples, const Fitted& fitted,
                     uint64_t last_seq) {
  auto model = Model::OpenExisting(ModelDirectory(settings), settings, TeachingAccess(settings));
  if (!model) return tl::unexpected(model.error());
  if (!(*model)->learner().CanPlant())
    return tl::unexpected(
        Error{kConfig, fmt::format("learner {} cannot go on from weights that it did not learn; "
                                   "`thresher rebuild --learner ftrl` makes it one that can",
                                   (*model)->learner().Name())});
  const auto left_out = (*model)->Install(InstallationOf(examples, fitted.weights, last_seq));
  if (!left_out) return tl::unexpected(left_out.error());
  if (auto done = (*model)->Compact(); !done) return done;
  fmt::print(stderr, "installed: {} weights{}; {} examples came since and were learned\n",
             fitted.points.back().progress.nonzeros - *left_out,
             *left_out == 0 ? "" : fmt::format(" ({} left out: their text has expired)", *left_out),
             (*model)->last_seq() - last_seq);
  return {};
}

Result<int> FitCommand(const Flags& flags) {
  const Result<Settings> settings = flags.model.Resolve();
  if (!settings) return tl::unexpected(settings.error());
  const auto options = OptionsOf(flags.options);
  if (!options) return tl::unexpected(options.error());
  const auto complete = learners::batch::SolverOptionsText(flags.solver, *options);
  if (!complete) return tl::unexpected(Error{kConfig, complete.error()});
  const bool is_multiclass = learners::batch::FindSolver(flags.solver)->multiclass;
  if (flags.install && (is_multiclass || !flags.inputs.empty()))
    return tl::unexpected(
        Error{kUsage, "--install takes what the model itself was taught, and one weight a feature"});
  FitOptions how = {.solver = flags.solver,
                    .options = *options,
                    .seed = flags.seed,
                    .gap = flags.gap,
                    .epochs = flags.epochs,
                    .threads = ThreadsOf(*settings),
                    .resume = flags.resume,
                    .start = {},
                    .on_report = Show};
  if (!flags.folders.empty()) {
    if (!is_multiclass)
      return tl::unexpected(Error{kUsage, "--folders takes a multiclass solver: --solver multiclass-sdca"});
    return FitFolders(flags, *settings, how);
  }
  auto loaded = Load(flags, *settings);
  if (!loaded) return tl::unexpected(loaded.error());
  ExampleStore& examples = loaded->examples;
  if (is_multiclass) examples.MakeClasses();
  if (flags.path > 0) return Path(flags, examples, std::move(how));
  const auto fitted = Fit(examples, how);
  ClearShown();
  if (!fitted) return tl::unexpected(fitted.error());
  flags.json ? PrintJson(flags, examples, *fitted) : PrintText(flags, examples, *fitted);
  if (!flags.weights.empty()) {
    if (auto written = WriteWeights(flags.weights, examples, *fitted); !written)
      return tl::unexpected(written.error());
  }
  if (flags.install) {
    if (auto done = Install(*settings, examples, *fitted, loaded->last_seq); !done)
      return tl::unexpected(done.error());
  }
  return 0;
}

}  // namespace

void AddFit(CLI::App& app, int* exit_code) {
  CLI::App* command =
      app.add_subcommand("fit", "Fit weights to stored examples, to a stated precision, by a batch solver");
  command->footer(
      "Without INPUT, to what the model was taught, as it is at this moment. `thresher learners` lists the "
      "solvers with their options.\n"
      "A row is printed for the first epochs and then whenever an eighth more has been done; gap is how far "
      "the objective can be above its\n"
      "minimum. The same examples, options and seed give the same bits, with and without an interruption "
      "that --resume bridges.\n"
      "Exit code: 0, 65 if an input or state is not what it should be, 66 if it cannot be read, 78 if an "
      "option is wrong.");
  auto flags = std::make_shared<Flags>();
  flags->model.AddTo(command);
  flags->model.AddSetting(command, "--threads", "replay.threads", "Threads; 0 for all cores");
  command->add_option("INPUT", flags->inputs,
                      "Examples instead of the model's: files in libsvm's form or Vowpal Wabbit's, or TREC "
                      "indexes; compressed or not");
  command->add_flag("--document", flags->document, "The messages of an index are plain text without headers");
  command->add_option("--solver", flags->solver, "Which solver")->capture_default_str();
  command->add_option("--option", flags->options, "NAME=VALUE: an option of the solver; may be repeated")
      ->allow_extra_args(false);
  command->add_option("--gap", flags->gap, "Stop when the gap is at most this much of the objective")
      ->check(CLI::Range(0.0, 1.0))
      ->capture_default_str();
  command->add_option("--epochs", flags->epochs, "Stop after so many epochs")
      ->check(WholeNumber())
      ->capture_default_str();
  command->add_option("--seed", flags->seed, "Of what is drawn at random")
      ->check(WholeNumber())
      ->capture_default_str();
  command->add_option(
      "--resume", flags->resume,
      "File that keeps the solver's state: gone on from if it is there, written with each row");
  command->add_option("--weights", flags->weights,
                      "File for the weights: a line with each feature's number and weight");
  command->add_flag(
      "--install", flags->install,
      "Make the result the live model, from which its learner goes on; what it was taught since is "
      "learned on top");
  command
      ->add_option(
          "--folders", flags->folders,
          "Messages sorted into the subfolders of a folder, for a multiclass solver; --weights FILE is "
          "then for `thresher classify --folders`")
      ->excludes("INPUT", "--install", "--resume");
  command
      ->add_option(
          "--path", flags->path,
          "Fit for so many penalties instead, from the l1 that leaves no weight down to the solver's, "
          "each from the weights of the one before")
      ->check(CLI::Range(2, 1000))
      ->excludes("--install", "--weights", "--resume", "--folders");
  command
      ->add_option("--held-out", flags->held_out, "Share of the examples, the last ones, to test a path on")
      ->check(CLI::Range(0.0, 0.9))
      ->capture_default_str();
  flags->model.AddSetting(command, "--wait", "store.wait_seconds", "Seconds to wait for another writer");
  command->add_flag("--json", flags->json, "Print JSON");
  command->callback([=] { *exit_code = Run([&] { return FitCommand(*flags); }); });
}

}  // namespace thresher::pipeline
