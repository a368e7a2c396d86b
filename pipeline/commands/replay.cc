// thresher replay: a TREC index replayed online, with its tables and figures.
#include "pipeline/replay.h"

#include <fmt/format.h>
#include <sys/resource.h>
#include <unistd.h>

#include <chrono>
#include <cstdlib>
#include <optional>
#include <thread>
#include <utility>

#include "pipeline/commands/command.h"
#include "pipeline/commands/replay_report.h"
#include "pipeline/model.h"
#include "pipeline/output_file.h"
#include "pipeline/progress.h"
#include "pipeline/temporary_directory.h"

namespace thresher::pipeline {
namespace {

namespace fs = std::filesystem;

struct Flags {
  ModelFlags model;
  std::string index;
  std::string out;
  std::string missing = "skip";
  std::string feedback = "all";
  Stress stress;
  bool document = false;
  bool json = false;
};

Result<ReplayRun> Measure(Model& model, const TrecIndex& index, const ReplayOptions& options,
                          OutputFile* out) {
  ReplayRun run;
  run.learner = model.learner().Name();
  run.learner_options = model.learner().OptionsText();
  run.thresholds = options.thresholds;
  run.threads = options.threads;
  const auto start = std::chrono::steady_clock::now();
  {
    Progress progress("messages", index.entries.size());
    auto report = Replay(model, index, options, [&](const ReplayedMessage& message) {
      const eval::Outcome outcome{message.judged_spam, message.verdict == Verdict::kSpam,
                                  message.score.margin, message.score.probability};
      run.outcomes.push_back(outcome);
      const TrecEntry& entry = index.entries[message.line];
      if (out != nullptr)
        out->Write(eval::FormatResultLine(entry.path, outcome, {.user = entry.user, .genre = entry.genre}));
      progress.Set(message.line + 1);
    });
    if (!report) return tl::unexpected(report.error());
    run.report = *std::move(report);
  }
  run.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  if (auto compacted = model.Compact(); !compacted) return tl::unexpected(compacted.error());
  const auto statistics = model.Statistics();
  if (!statistics) return tl::unexpected(statistics.error());
  run.statistics = *statistics;
  const auto sizes = model.Sizes();
  if (!sizes) return tl::unexpected(sizes.error());
  run.sizes = *sizes;
  rusage usage{};
  ::getrusage(RUSAGE_SELF, &usage);
  run.peak_kib = usage.ru_maxrss;
  return run;
}

Result<int> ReplayIndex(const Flags& flags) {
  const Result<Settings> settings = flags.model.Resolve();
  if (!settings) return tl::unexpected(settings.error());
  auto index = ReadTrecIndex(flags.index);
  if (!index) return tl::unexpected(index.error());
  *index = Stressed(*std::move(index), flags.stress);
  if (index->entries.empty()) return tl::unexpected(Error{kData, flags.index + ": no message in this index"});

  // A live model is never replayed into: without --store the model is thrown away at the end.
  std::unique_ptr<TemporaryDirectory> temporary;
  fs::path directory = ModelDirectory(*settings);
  if (!settings->IsOnCommandLine("store.path")) {
    auto made = TemporaryDirectory::Make("thresher-replay");
    if (!made) return tl::unexpected(made.error());
    temporary = *std::move(made);
    directory = temporary->path() / settings->model;
  } else if (storage::Database::Exists(directory)) {
    return tl::unexpected(Error{
        kCantCreate, fmt::format("{}: there is a model here already; replay begins with a new one: name "
                                 "another --store or --model",
                                 directory.string())});
  }
  Model::WriteAccess access;
  access.durability = DurabilityOf(*settings, storage::Durability::kOs);
  access.checkpoint_every = settings->checkpoint_every;
  auto model = Model::OpenOrCreate(directory, *settings, access);
  if (!model) return tl::unexpected(model.error());

  std::optional<OutputFile> out;
  if (!flags.out.empty()) {
    auto opened = OutputFile::Open(flags.out);
    if (!opened) return tl::unexpected(opened.error());
    out.emplace(*std::move(opened));
  }
  ReplayOptions options;
  const size_t wanted = settings->replay_threads;
  options.threads = wanted > 0 ? wanted : std::max(1u, std::thread::hardware_concurrency());
  options.kind = flags.document ? tokenizer::Kind::kDocument : tokenizer::Kind::kMail;
  options.thresholds = settings->thresholds;
  options.feedback = flags.feedback == "errors"   ? Feedback::kErrors
                     : flags.feedback == "unsure" ? Feedback::kUnsure
                                                  : Feedback::kAll;
  options.stop_at_missing = flags.missing == "stop";
  auto run = Measure(**model, *index, options, out ? &*out : nullptr);
  if (!run) return tl::unexpected(run.error());
  run->index = flags.index;
  run->preset = settings->preset;
  run->stress = flags.stress;
  run->feedback = flags.feedback;
  if (out) {
    if (auto closed = out->Close(); !closed) return tl::unexpected(closed.error());
  }
  // Result lines on standard output are for another program: they stay by themselves.
  (flags.json ? PrintReplayJson : PrintReplayText)(*run, flags.out == "-" ? stderr : stdout);
  for (const std::string& line : run->report.unreadable) fmt::print(stderr, "thresher: {}\n", line);
  return run->report.unreadable.empty() ? 0 : kNoInput;
}

void AddStress(Flags& flags, CLI::App* command) {
  auto* group = command->add_option_group("Stress", "A harder world than the corpus shows");
  const auto share = Fraction();
  Stress& stress = flags.stress;
  group->add_option("--feedback", flags.feedback, "Which classified messages are taught: all, errors, unsure")
      ->check(CLI::IsMember({"all", "errors", "unsure"}))
      ->capture_default_str();
  group->add_option("--share", stress.share, "Share of them that are taught at all")->check(share);
  group->add_option("--delay", stress.delay, "Messages between a message and its feedback")
      ->check(WholeNumber());
  group->add_option("--flip", stress.flip, "Share of the taught labels that are wrong")->check(share);
  group
      ->add_option("--late-spam-share", stress.late_spam_share,
                   "Drop messages of the second half until this share of it is spam")
      ->check(share);
  group->add_option("--seed", stress.seed, "Of the chance in the above")
      ->check(WholeNumber(UINT64_MAX))
      ->capture_default_str();
}

}  // namespace

void AddReplay(CLI::App& app, int* exit_code) {
  CLI::App* command = app.add_subcommand(
      "replay", "Classify, then learn, each message of a TREC index; print tables and figures");
  command->footer(
      "INDEX has lines `ham PATH` or `spam PATH` (classify, then train), `Ham`/`Spam` (classify only), "
      "`HAM`/`SPAM` (train only);\n"
      "paths are relative to its folder. Results are the same bits for any number of threads.\n"
      "Exit code: 0; 66 if a message could not be read (reported with its line of the index); 65 if the "
      "index is malformed.");
  auto flags = std::make_shared<Flags>();
  command->add_option("INDEX", flags->index, "TREC index file, plain or compressed")->required();
  flags->model.AddTo(command);
  flags->model.AddSetting(command, "--learner", "learner.name", "Learner; `thresher learners` lists them");
  command->get_option("--store")->description(
      "Keep the learned model in this store (default: a temporary one)");
  command->add_option("--out", flags->out,
                      "Write a TREC result line per classified message to this file; - is standard output, "
                      "and the report then goes "
                      "to standard error");
  flags->model.AddSetting(command, "--threads", "replay.threads", "Threads; 0 for all cores");
  command
      ->add_option("--missing", flags->missing,
                   "What a message that cannot be read does: skip (report it and go on) or stop")
      ->check(CLI::IsMember({"skip", "stop"}))
      ->capture_default_str();
  AddStress(*flags, command);
  command->add_flag("--document", flags->document, "The messages are plain text without mail headers");
  command->add_flag("--json", flags->json, "Print JSON");
  command->callback([=] { *exit_code = Run([&] { return ReplayIndex(*flags); }); });
}

}  // namespace thresher::pipeline
