// thresher stats: a model's size, contents and settings.
#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <string>
#include <utility>

#include "pipeline/answers/needed.h"
#include "pipeline/answers/statistics_json.h"
#include "pipeline/commands/command.h"
#include "pipeline/commands/json_output.h"
#include "pipeline/commands/log_name.h"
#include "pipeline/commands/lost_examples.h"
#include "pipeline/model/distinct_counter.h"
#include "pipeline/model/inspection.h"
#include "pipeline/opening/opening.h"
#include "tokenizer/options.h"

namespace thresher::pipeline {
namespace {

struct StatsFlags {
  ModelFlags model;
  bool json = false;
};

// How far the model agrees with what it was taught last: as it is now, and as it was when it was taught each.
void PrintContradictions(const Inspection& model, const RecentExamples& recent) {
  if (!model.taught().CanTell()) {
    fmt::print("contradicted     not known: every verdict is still Unsure\n");
    return;
  }
  fmt::print("contradicted now {} of the last {}{}\n", recent.contradicted, recent.examples,
             recent.AreDoubtful() ? ": `thresher doubt` lists labels that may be wrong" : "");
  const Contradictions& before = model.contradictions();
  if (before.examples == 0) return;
  fmt::print("when taught      {} of the last {}{}\n", before.number(), before.examples,
             before.AreMany() ? ", as the header of `filter` says" : "");
}

// The probability as a function of the margin.
std::string CalibrationText(const Inspection& model, const learners::Calibration& calibration) {
  if (!model.taught().CanTell()) return "0.5 for every margin";
  const auto reading = model.reading();
  std::string plain = reading.factor == 1 ? "σ(margin)" : fmt::format("σ({:.3g}·margin)", reading.factor);
  const double share = calibration.Share(reading.doubt);
  if (share == 0) return plain;
  return fmt::format("{:.3g}·σ({:.4g}·margin {:+.4g}) + {:.3g}·{}; {:.1f} % of the labels taken as wrong",
                     share, reading.factor * calibration.slope, calibration.intercept, 1 - share, plain,
                     100 * calibration.share_wrong);
}

// "; 12 of the ham were corrected to spam". Empty if nothing was corrected.
std::string CorrectedText(const TaughtCounts& taught) {
  std::string text;
  for (const auto& [label, corrected] :
       {std::pair(Label::kHam, taught.ham_corrected), {Label::kSpam, taught.spam_corrected}}) {
    if (corrected == 0) continue;
    text += fmt::format("; {} of the {} {} corrected to {}", corrected, NameOf(label),
                        corrected == 1 ? "was" : "were", NameOf(OtherClass(label)));
  }
  return text;
}

void PrintStats(const std::string& where, const Inspection& model, const ModelStatistics& s,
                const RecentExamples& recent, const storage::Database::Sizes& sizes) {
  fmt::print("model            {}\n", where);
  fmt::print("learner          {} ({})\n", model.learner().Name(), model.learner().OptionsText());
  fmt::print("tokenizer        {}\n", tokenizer::kTokenizerVersion);
  const std::string needed = NeededText(model.taught());
  fmt::print("taught           {} ham, {} spam{}{}{}\n", s.ham, s.spam, CorrectedText(model.taught()),
             needed.empty() ? "" : "; ", needed);
  const size_t ham = model.Waiting(Label::kHam);
  const size_t spam = model.Waiting(Label::kSpam);
  if (ham + spam > 0)
    fmt::print("waiting          {} ham, {} spam: learned with examples of the other class\n", ham, spam);
  PrintContradictions(model, recent);
  fmt::print("non-zero weights {}, ‖w‖₁ {:.6g}; {} features seen\n", s.nonzeros, s.l1_norm,
             Approximately(s.features_seen));
  fmt::print("stored rows      {}: {} live, {} prunable\n", s.stored_rows, s.stored_rows - s.prunable_rows,
             s.prunable_rows);
  fmt::print("calibration      p = {}\n", CalibrationText(model, s.calibration));
  fmt::print("{}  {} examples, {} of them after the last checkpoint; {} older ones have expired\n",
             LogName(model.identity().features.keep_message), s.log.last_seq - s.log.expired,
             s.log.last_seq - s.log.checkpoint_seq, s.log.expired);
  fmt::print("on disk          {:.2f} MB", static_cast<double>(sizes.total) / 1e6);
  for (const auto& [part, bytes] : sizes.parts)
    fmt::print("; {} {:.2f}", part, static_cast<double>(bytes) / 1e6);
  fmt::print("\nrow and text     {:.1f} bytes per non-zero weight, {:.1f} per stored row\n",
             BytesPer(s.nonzeros, sizes), BytesPer(s.stored_rows, sizes));
}

void PrintStatsAsJson(const std::string& where, const Inspection& model, const ModelStatistics& s,
                      const RecentExamples& recent, const storage::Database::Sizes& sizes) {
  WriteJson(StatisticsJson(where, model, s, recent, sizes));
}

Result<int> Stats(const StatsFlags& flags) {
  const Result<Settings> settings = flags.model.Resolve();
  if (!settings) return tl::unexpected(settings.error());
  const std::filesystem::path directory = ModelDirectory(*settings);
  const auto model = OpenForReading(directory, *settings);
  if (!model) return tl::unexpected(model.error());
  SayIfExamplesAreLost(directory);
  const auto statistics = model->Statistics();
  if (!statistics) return tl::unexpected(statistics.error());
  const auto recent = model->Recent();
  if (!recent) return tl::unexpected(recent.error());
  const auto sizes = model->Sizes();
  if (!sizes) return tl::unexpected(sizes.error());
  (flags.json ? PrintStatsAsJson : PrintStats)(directory.string(), *model, *statistics, *recent, *sizes);
  return 0;
}

}  // namespace

void AddStats(CommandLine& line) {
  Command command = line.Add("stats", "Print the contents and the size of a model");
  StatsFlags& flags = command.Runs(Stats);
  flags.model.AddTo(command);
  command.Add("--json", &flags.json, "Print JSON");
}

}  // namespace thresher::pipeline
