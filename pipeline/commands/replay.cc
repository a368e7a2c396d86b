// thresher replay: a TREC index replayed online, with its tables and figures.
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <optional>
#include <utility>

#include "pipeline/commands/command.h"
#include "pipeline/commands/figure_flags.h"
#include "pipeline/commands/html_file.h"
#include "pipeline/commands/replay_report.h"
#include "pipeline/commands/split_flags.h"
#include "pipeline/experiment.h"
#include "pipeline/output_file.h"
#include "pipeline/progress.h"
#include "storage/database.h"
#include "tokenizer/user.h"

namespace thresher::pipeline {
namespace {

constexpr uint64_t kSizePoints = 50;  // of the plot of the model's size

struct Flags {
  ModelFlags model;
  std::string index;
  std::string out;
  std::string html;
  std::string missing = "skip";
  std::string feedback = "all";
  Stress stress;
  SplitFlags split;
  FigureFlags figures;
  bool personal = false;
  bool document = false;
  bool json = false;
};

// Where the model is kept. A live model is never replayed into: without --store it is thrown away at the end.
Result<std::optional<std::filesystem::path>> DirectoryFor(const Settings& settings) {
  if (!settings.IsOnCommandLine("store.path")) return std::nullopt;
  const std::filesystem::path directory = ModelDirectory(settings);
  if (!storage::Database::Exists(directory)) return directory;
  return tl::unexpected(Error{
      kCantCreate,
      fmt::format(
          "{}: there is a model here already; replay begins with a new one: name another --store or --model",
          directory.string())});
}

Result<void> CheckUsers(const TrecIndex& index) {
  const auto wrong = std::find_if(index.entries.begin(), index.entries.end(), [](const TrecEntry& entry) {
    return !entry.user.empty() && !tokenizer::IsUserName(entry.user);
  });
  if (wrong == index.entries.end()) return {};
  return tl::unexpected(
      Error{kData, fmt::format("{}:{}: \"{}\" can be no user of --personal: at most {} bytes, no slash",
                               index.path, wrong->line, wrong->user, tokenizer::kMaxUserName)});
}

Result<int> ReplayIndex(const Flags& flags) {
  const Result<Settings> settings = flags.model.Resolve();
  if (!settings) return tl::unexpected(settings.error());
  auto read = ReadTrecIndex(flags.index);
  if (!read) return tl::unexpected(read.error());
  const TrecIndex index = Stressed(*std::move(read), flags.stress);
  if (index.entries.empty()) return tl::unexpected(Error{kData, flags.index + ": no message in this index"});
  if (auto users = flags.personal ? CheckUsers(index) : Result<void>(); !users)
    return tl::unexpected(users.error());
  const auto directory = DirectoryFor(*settings);
  if (!directory) return tl::unexpected(directory.error());
  auto html = HtmlFile::Open(flags.html);
  if (!html) return tl::unexpected(html.error());
  std::optional<OutputFile> out;
  if (!flags.out.empty()) {
    auto opened = OutputFile::Open(flags.out);
    if (!opened) return tl::unexpected(opened.error());
    out.emplace(*std::move(opened));
  }

  ReplayOptions options;
  options.kind = flags.document ? tokenizer::Kind::kDocument : tokenizer::Kind::kMail;
  options.feedback = flags.feedback == "errors"   ? Feedback::kErrors
                     : flags.feedback == "unsure" ? Feedback::kUnsure
                                                  : Feedback::kAll;
  options.personal = flags.personal;
  options.stop_at_missing = flags.missing == "stop";
  if (html->IsWanted()) options.size_every = std::max<uint64_t>(1, index.entries.size() / kSizePoints);
  const Split& split = flags.split.Value();
  const auto run = [&] {
    Progress progress("messages", EntriesToRead(index, split));
    options.on_progress = [&](uint64_t done) { progress.Set(done); };
    return RunExperiment({*settings, index, split, options, *directory}, [&](const TrecEntry& entry,
                                                                             const eval::Outcome& outcome) {
      if (out) out->Write(eval::FormatResultLine(entry.path, outcome, {entry.user, entry.genre}));
    });
  }();
  if (!run) return tl::unexpected(run.error());
  if (out) {
    if (auto closed = out->Close(); !closed) return tl::unexpected(closed.error());
  }
  const ReplayRequest request{flags.index, flags.stress, flags.feedback, split, flags.figures.Options()};
  // Result lines on standard output are for another program: they stay by themselves.
  (flags.json ? PrintReplayJson : PrintReplayText)(request, *run, flags.out == "-" ? stderr : stdout);
  if (html->IsWanted()) {
    const eval::HtmlRun drawn[] = {DrawReplay(request, *run)};
    if (auto written = html->Write(drawn, {}); !written) return tl::unexpected(written.error());
  }
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
      "a user and a genre may follow. Paths are relative to its folder. Results are the same bits for any "
      "number of threads.\n"
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
  flags->split.AddTo(command);
  for (const char* barred : {"--store", "--delay", "--feedback"})
    command->get_option("--folds")->excludes(command->get_option(barred));
  flags->figures.AddTo(command);
  command->add_flag("--personal", flags->personal,
                    "One model for many users: a message has each of its tokens also as that of its user, "
                    "the third column of INDEX");
  command->add_flag("--document", flags->document, "The messages are plain text without mail headers");
  command->add_flag("--json", flags->json, "Print JSON");
  HtmlFile::AddTo(command, &flags->html);
  command->callback([=] { *exit_code = Run([&] { return ReplayIndex(*flags); }); });
}

}  // namespace thresher::pipeline
