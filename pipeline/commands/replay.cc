// thresher replay: classifies and learns the messages of a TREC index in order; prints figures.
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <optional>
#include <utility>

#include "eval/worst_errors.h"
#include "pipeline/commands/command.h"
#include "pipeline/commands/figure_flags.h"
#include "pipeline/commands/html_file.h"
#include "pipeline/commands/replay_report.h"
#include "pipeline/commands/replayed_index.h"
#include "pipeline/commands/split_flags.h"
#include "pipeline/model/store_error.h"
#include "pipeline/opening/opening.h"
#include "pipeline/terminal/output_file.h"
#include "pipeline/terminal/progress.h"
#include "pipeline/trec/experiment.h"
#include "storage/database.h"
#include "tokenizer/user.h"

namespace thresher::pipeline {
namespace {

constexpr uint64_t kSizePoints = 50;  // in the plot of the model's size

struct ReplayFlags {
  ModelFlags model;
  std::string index;
  std::string out;
  std::string html;
  std::string missing = "skip";
  std::string feedback = "all";
  double self_train = 0;
  Stress stress;
  SplitFlags split;
  FigureFlags figures;
  bool personal = false;
  bool document = false;
  bool json = false;
};

// Where the model is kept; nothing without --store: the model is then temporary. A replay never changes a
// live model.
Result<std::optional<std::filesystem::path>> DirectoryFor(const Settings& settings) {
  if (!settings.IsOnCommandLine("store.path")) return std::nullopt;
  if (auto is_store = CheckIsStore(settings.store_path); !is_store) return tl::unexpected(is_store.error());
  const std::filesystem::path directory = ModelDirectory(settings);
  if (const auto exists = storage::Database::CheckExists(directory); !exists) {
    if (exists.error().kind != storage::ErrorKind::kMissing) return StoreFailure(exists.error());
    return directory;
  }
  return tl::unexpected(Error{
      kCantCreate,
      fmt::format(
          "{}: a model exists here, and a replay begins with a new one: name another --store or --model",
          directory.string())});
}

Result<void> CheckUsers(const TrecIndex& index) {
  const auto has_user = [](const TrecEntry& entry) { return !entry.user.empty(); };
  if (std::ranges::none_of(index.entries, has_user)) {
    return tl::unexpected(Error{
        kData,
        fmt::format("{}: no line names a user in its third column, as --personal needs it", index.path)});
  }
  const auto wrong = std::find_if(index.entries.begin(), index.entries.end(), [](const TrecEntry& entry) {
    return !entry.user.empty() && !tokenizer::IsUserName(entry.user);
  });
  if (wrong == index.entries.end()) return {};
  return tl::unexpected(Error{
      kData, fmt::format("{}:{}: \"{}\" is not a user name for --personal: at most {} bytes, without a slash",
                         index.path, wrong->line, wrong->user, tokenizer::kMaxUserName)});
}

Result<TrecIndex> ReadIndex(const ReplayFlags& flags) {
  auto index = OpenReplayedIndex(flags.index, flags.split.Value(), flags.stress);
  if (!index || !flags.personal) return index;
  if (auto users = CheckUsers(*index); !users) return tl::unexpected(users.error());
  return index;
}

ReplayOptions OptionsOf(const ReplayFlags& flags) {
  ReplayOptions options;
  options.kind = flags.document ? tokenizer::Kind::kDocument : tokenizer::Kind::kMail;
  options.feedback = flags.feedback == "errors"   ? Feedback::kErrors
                     : flags.feedback == "unsure" ? Feedback::kUnsure
                                                  : Feedback::kAll;
  options.self_train = flags.self_train;
  options.personal = flags.personal;
  options.stop_at_missing = flags.missing == "stop";
  return options;
}

Result<void> Report(const ReplayFlags& flags, const ReplayRun& run, eval::WorstErrors worst, HtmlFile& html) {
  const ReplayRequest request{flags.index,      flags.stress,        flags.feedback,
                              flags.self_train, flags.split.Value(), flags.figures.Options()};
  // Another program reads result lines on standard output: the report must not be among them.
  (flags.json ? PrintReplayJson : PrintReplayText)(request, run, flags.out == "-" ? stderr : stdout);
  if (!html.IsWanted()) return {};
  const eval::HtmlRun drawn[] = {DrawReplay(request, run, std::move(worst))};
  return html.Write(drawn, {});
}

Result<int> ReplayIndex(const ReplayFlags& flags) {
  const Result<Settings> settings = flags.model.Resolve();
  if (!settings) return tl::unexpected(settings.error());
  const auto index = ReadIndex(flags);
  if (!index) return tl::unexpected(index.error());
  const auto directory = DirectoryFor(*settings);
  if (!directory) return tl::unexpected(directory.error());
  auto html = HtmlFile::Open(flags.html);
  if (!html) return tl::unexpected(html.error());
  auto out = OutputFile::OpenIfNamed(flags.out);
  if (!out) return tl::unexpected(out.error());

  ReplayOptions options = OptionsOf(flags);
  if (html->IsWanted()) options.size_every = std::max<uint64_t>(1, index->entries.size() / kSizePoints);
  const uint64_t folds = flags.split.Value().folds;
  eval::WorstErrors worst;
  const auto run = [&] {
    Progress progress("messages", EntriesToRead(*index, folds));
    options.on_progress = [&](uint64_t done) { progress.Set(done); };
    return RunExperiment({*settings, *index, folds, options, *directory}, [&](const TrecEntry& entry,
                                                                              const eval::Outcome& outcome) {
      if (html->IsWanted()) worst.Add(entry.path, outcome);
      if (*out) (*out)->Write(eval::FormatResultLine(entry.path, outcome, {entry.user, entry.genre}));
    });
  }();
  if (!run) return tl::unexpected(run.error());
  if (*out) {
    if (auto closed = (*out)->Close(); !closed) return tl::unexpected(closed.error());
  }
  if (auto reported = Report(flags, *run, std::move(worst), *html); !reported)
    return tl::unexpected(reported.error());
  for (const std::string& line : run->report.unreadable) Fail({kNoInput, line});
  return run->report.unreadable.empty() ? 0 : kNoInput;
}

void AddStress(ReplayFlags& flags, Command command) {
  FlagGroup group = command.AddGroup("Stress",
                                     "Simulate wrong, late and missing feedback. Exit code 64 if INDEX has "
                                     "no feedback for --share, --delay or --flip");
  const auto share = Fraction();
  Stress& stress = flags.stress;
  group
      .Add("--feedback", &flags.feedback,
           "Which classified messages get feedback: all, errors (in the wrong folder), unsure")
      .Check(OneOf({"all", "errors", "unsure"}))
      .ShowDefault();
  group
      .Add("--self-train", &flags.self_train,
           "Messages without feedback are taught with the label of their verdict if it is not Unsure and its "
           "probability is at least this. Risky: docs/learning-measured.md")
      .Check(Takes({.min = 0.5, .max = 1}));
  group.Add("--share", &stress.share, "Share of them that get feedback").Check(share);
  group
      .Add("--delay", &stress.delay,
           "Messages between a message and its feedback; lines `HAM` and `SPAM` stay where they are")
      .Check(WholeNumber());
  group.Add("--flip", &stress.flip, "Share of the labels of feedback that are wrong").Check(share);
  group
      .Add("--late-spam-share", &stress.late_spam_share,
           "Drop messages of the second half until this share of it is spam")
      .Check(share);
  group.Add("--seed", &stress.seed, "Random seed of these options")
      .Check(WholeNumber(UINT64_MAX))
      .ShowDefault();
}

}  // namespace

void AddReplay(CommandLine& line) {
  Command command =
      line.Add("replay", "Classify and then learn each message of a TREC index; print tables and figures");
  command.Footer(
      "INDEX has lines `ham PATH` or `spam PATH` (classify, then train), `Ham`/`Spam` (classify only),\n"
      "`HAM`/`SPAM` (train only); a user and a genre may follow. Paths are relative to its folder. Results\n"
      "are the same bits for any number of threads.\n"
      "Exit code: 0, also if no line is classified or none is taught (reported); 66 if a message could not\n"
      "be read (reported with its line of the index); 65 if the index is malformed; 73 if --store\n"
      "has such a model already.");
  ReplayFlags& flags = command.Runs(ReplayIndex);
  command.Add("INDEX", &flags.index, "TREC index file, plain or compressed").Require().Reads();
  flags.model.AddTo(command);
  flags.model.AddSetting(command, "--learner", "learner.name", "Learner; `thresher learners` lists them");
  command.Find("--model").Needs("--store");
  command.Find("--store").Describe(
      "Keep the learned model in this store, which must not have it yet (default: a temporary one). Its "
      "messages have their path in INDEX as Message-ID: `learn` takes the same mail for new, and `forget "
      "--id PATH` takes it out");
  command
      .Add("--out", &flags.out,
           "Write a TREC result line per classified message to this file; with - they go to standard "
           "output and the report to standard error")
      .Writes();
  flags.model.AddSetting(command, "--threads", "replay.threads", "Threads; 0 for all cores");
  command
      .Add("--missing", &flags.missing,
           "After a message that cannot be read: skip (report it and go on) or stop")
      .Check(OneOf({"skip", "stop"}))
      .ShowDefault();
  AddStress(flags, command);
  flags.split.AddTo(command);
  command.Find("--folds").Excludes({"--store", "--delay", "--feedback", "--self-train"});
  flags.figures.AddTo(command);
  command.Add("--personal", &flags.personal,
              "One model for many users: each token of a message is also counted as one of its user, "
              "who is named in the third column of INDEX");
  command.Add("--document", &flags.document, "The messages are plain text without mail headers");
  command.Add("--json", &flags.json, "Print JSON");
  HtmlFile::AddTo(command, &flags.html);
}

}  // namespace thresher::pipeline
