#include "pipeline/trec/experiment.h"

#include <fmt/format.h>
#include <sys/resource.h>

#include <algorithm>
#include <chrono>
#include <iterator>
#include <memory>
#include <thread>
#include <unordered_set>
#include <utility>
#include <vector>

#include "pipeline/model/model.h"
#include "pipeline/opening/opening.h"
#include "pipeline/trec/temporary_directory.h"

namespace thresher::pipeline {
namespace {

namespace fs = std::filesystem;

Result<ReplayRun> RunOnce(const fs::path& directory, const Settings& settings, const TrecIndex& index,
                          const ReplayOptions& options, const OnOutcome& on_outcome) {
  auto opened = OpenOrCreateModel(directory, settings, ReplayAccess(settings));
  if (!opened) return tl::unexpected(opened.error());
  Model& model = **opened;

  ReplayRun run;
  run.preset = settings.preset;
  run.learner = model.identity().learner->Name();
  run.learner_options = model.identity().learner->OptionsText();
  run.options = options;
  const auto start = std::chrono::steady_clock::now();
  auto report = Replay(model, index, options, [&](const ReplayedMessage& message) {
    const eval::Outcome outcome{message.judged_spam, message.verdict == Verdict::kSpam, message.score.margin,
                                message.score.probability};
    run.outcomes.push_back(outcome);
    if (on_outcome) on_outcome(index.entries[message.entry], outcome);
  });
  if (!report) return tl::unexpected(report.error());
  run.report = *std::move(report);
  run.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  if (auto compacted = model.Compact(); !compacted) return tl::unexpected(compacted.error());
  const auto statistics = model.Inspect().Statistics();
  if (!statistics) return tl::unexpected(statistics.error());
  run.statistics = *statistics;
  const auto sizes = model.Inspect().Sizes();
  if (!sizes) return tl::unexpected(sizes.error());
  run.sizes = *sizes;
  rusage usage{};
  ::getrusage(RUSAGE_SELF, &usage);
  run.peak_kib = usage.ru_maxrss;
  return run;
}

Result<ReplayRun> RunInTemporary(const Settings& settings, const TrecIndex& index,
                                 const ReplayOptions& options, const OnOutcome& on_outcome) {
  const auto temporary = TemporaryDirectory::Make("thresher-replay");
  if (!temporary) return tl::unexpected(temporary.error());
  ReplayOptions interruptible = options;
  interruptible.interrupts = &(*temporary)->interrupts();
  return RunOnce((*temporary)->path() / settings.model, settings, index, interruptible, on_outcome);
}

// What another fold has said already is not said again.
template <class Value>
void AddNew(const std::vector<Value>& more, std::vector<Value>* all) {
  const std::unordered_set<Value> known(all->begin(), all->end());
  std::ranges::copy_if(more, std::back_inserter(*all),
                       [&](const Value& each) { return !known.contains(each); });
}

void Add(const ReplayRun& fold, ReplayRun* sum) {
  sum->report.classified += fold.report.classified;
  sum->report.unsure_ham += fold.report.unsure_ham;
  sum->report.unsure_spam += fold.report.unsure_spam;
  sum->report.taught += fold.report.taught;
  sum->report.updated += fold.report.updated;
  sum->report.self_taught += fold.report.self_taught;
  sum->report.self_wrong += fold.report.self_wrong;
  sum->report.entries += fold.report.entries;
  sum->report.bytes += fold.report.bytes;
  sum->report.features += fold.report.features;
  AddNew(fold.report.truncated, &sum->report.truncated);
  AddNew(fold.report.unreadable, &sum->report.unreadable);
  sum->outcomes.insert(sum->outcomes.end(), fold.outcomes.begin(), fold.outcomes.end());
  sum->statistics.nonzeros += fold.statistics.nonzeros;
  sum->statistics.l1_norm += fold.statistics.l1_norm;
  sum->statistics.stored_rows += fold.statistics.stored_rows;
  sum->statistics.features_seen += fold.statistics.features_seen;
  sum->sizes.total += fold.sizes.total;
  for (const auto& [part, bytes] : fold.sizes.parts) sum->sizes.parts[part] += bytes;
  sum->seconds += fold.seconds;
  sum->peak_kib = fold.peak_kib;
}

Result<ReplayRun> CrossValidate(const Settings& settings, const TrecIndex& index, uint64_t folds,
                                const ReplayOptions& options, const OnOutcome& on_outcome) {
  std::optional<ReplayRun> sum;
  uint64_t done = 0;
  for (uint64_t fold = 0; fold < folds; ++fold) {
    const TrecIndex part = Fold(index, folds, fold);
    ReplayOptions shifted = options;
    if (options.on_progress) shifted.on_progress = [&](uint64_t here) { options.on_progress(done + here); };
    auto run = RunInTemporary(settings, part, shifted, on_outcome);
    if (!run) return tl::unexpected(run.error());
    done += part.entries.size();
    if (sum) {
      Add(*run, &*sum);
    } else {
      sum = *std::move(run);
    }
  }
  sum->report.curve.clear();
  sum->report.sizes.clear();
  ModelStatistics mean;
  mean.nonzeros = sum->statistics.nonzeros / folds;
  mean.l1_norm = sum->statistics.l1_norm / static_cast<double>(folds);
  mean.stored_rows = sum->statistics.stored_rows / folds;
  mean.features_seen = sum->statistics.features_seen / static_cast<double>(folds);
  sum->statistics = mean;
  sum->sizes.total /= folds;
  for (auto& [part, bytes] : sum->sizes.parts) bytes /= folds;
  return *std::move(sum);
}

}  // namespace

TrecIndex Arranged(TrecIndex index, const Split& split, const Stress& stress) {
  if (split.shuffle) index = Shuffled(std::move(index), *split.shuffle);
  index = Stressed(std::move(index), stress);
  if (split.train_first > 0) index = TrainFirst(std::move(index), split.train_first);
  return index;
}

Result<ReplayRun> RunExperiment(const Experiment& experiment, const OnOutcome& on_outcome) {
  const Settings& settings = experiment.settings;
  const TrecIndex& index = experiment.index;
  ReplayOptions options = experiment.options;
  options.threads = settings.ThreadsToUse();
  options.thresholds = settings.thresholds;
  const auto judged = static_cast<uint64_t>(std::count_if(
      index.entries.begin(), index.entries.end(), [](const TrecEntry& entry) { return entry.classify; }));
  if (experiment.folds > judged)
    return tl::unexpected(Error{kUsage, fmt::format("--folds {}: {} has {} messages to classify",
                                                    experiment.folds, index.path, judged)});
  if (experiment.folds > 0) return CrossValidate(settings, index, experiment.folds, options, on_outcome);
  if (!experiment.directory) return RunInTemporary(settings, index, options, on_outcome);
  return RunOnce(*experiment.directory, settings, index, options, on_outcome);
}

uint64_t EntriesToRead(const TrecIndex& index, uint64_t folds) {
  return index.entries.size() * std::max<uint64_t>(1, folds);
}

}  // namespace thresher::pipeline
