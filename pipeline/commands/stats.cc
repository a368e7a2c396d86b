// thresher stats: a model's size, contents and settings.
#include <fmt/format.h>

#include <nlohmann/json.hpp>

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

void PrintText(const std::string& where, const Inspection& model, const ModelStatistics& s,
               const RecentExamples& recent, const storage::Database::Sizes& sizes) {
  fmt::print("model            {}\n", where);
  fmt::print("learner          {} ({})\n", model.learner().Name(), model.learner().OptionsText());
  fmt::print("tokenizer        {}\n", tokenizer::kTokenizerVersion);
  const std::string needed = NeededText(model.taught());
  fmt::print("taught           {} ham, {} spam{}{}\n", s.ham, s.spam, needed.empty() ? "" : "; ", needed);
  const size_t ham = model.Waiting(Label::kHam);
  const size_t spam = model.Waiting(Label::kSpam);
  if (ham + spam > 0)
    fmt::print("waiting          {} ham, {} spam: learned with examples of the other class\n", ham, spam);
  fmt::print("last examples    {} of {} are contradicted by the model{}\n", recent.contradicted,
             recent.examples,
             recent.AreDoubtful() ? ": `thresher doubt` lists labels that may be wrong" : "");
  const Contradictions& before = model.contradictions();
  fmt::print("before learning  {} of the last {} were{}\n", before.number(), before.examples,
             before.AreMany() ? ", as the header of `filter` says" : "");
  fmt::print("non-zero weights {}, ‖w‖₁ {:.6g}; {} features seen\n", s.nonzeros, s.l1_norm,
             Approximately(s.features_seen));
  fmt::print("stored rows      {}: {} live, {} prunable\n", s.stored_rows, s.stored_rows - s.prunable_rows,
             s.prunable_rows);
  const auto [factor, doubt] = model.reading();
  const double share = s.calibration.Share(doubt);
  fmt::print("calibration      p = {0:.3g}·σ({1:.4g}·margin {2:+.4g}) + {3:.3g}·σ({4:.3g}·margin){5}\n",
             share, factor * s.calibration.slope, s.calibration.intercept, 1 - share, factor,
             share > 0
                 ? fmt::format("; {:.1f} % of the labels taken as wrong", 100 * s.calibration.share_wrong)
                 : "");
  fmt::print("{}  {} examples, {} of them after the last checkpoint; {} older ones have expired\n",
             LogName(model.identity().features.keep_message), s.log.last_seq - s.log.expired,
             s.log.last_seq - s.log.checkpoint_seq, s.log.expired);
  fmt::print("on disk          {:.2f} MB", static_cast<double>(sizes.total) / 1e6);
  for (const auto& [part, bytes] : sizes.parts)
    fmt::print("; {} {:.2f}", part, static_cast<double>(bytes) / 1e6);
  fmt::print("\nrow and text     {:.1f} bytes per non-zero weight, {:.1f} per stored row\n",
             BytesPer(s.nonzeros, sizes), BytesPer(s.stored_rows, sizes));
}

void PrintJson(const std::string& where, const Inspection& model, const ModelStatistics& s,
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
  (flags.json ? PrintJson : PrintText)(directory.string(), *model, *statistics, *recent, *sizes);
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
