// thresher grid: a replay for every combination of some settings' values; which are worth their weights.
#include "pipeline/trec/grid.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "eval/report.h"
#include "eval/report_json.h"
#include "pipeline/commands/command.h"
#include "pipeline/commands/json_output.h"
#include "pipeline/commands/replayed_index.h"
#include "pipeline/commands/split_flags.h"
#include "pipeline/terminal/progress.h"
#include "pipeline/trec/experiment.h"

namespace thresher::pipeline {
namespace {

struct GridFlags {
  ModelFlags model;
  SplitFlags split;
  std::string index;
  std::vector<std::string> vary;
  bool document = false;
  bool json = false;
};

void PrintText(const std::vector<GridPoint>& points) {
  fmt::print("   non-zero  (1−ROCA)%       lam%   log-loss   seconds\n");
  for (const GridPoint& point : points) {
    fmt::print("{} {:>9} {:>10} {:>10} {:>10} {:>9.1f}  {}\n", point.on_frontier ? '*' : ' ', point.nonzeros,
               eval::OrDash(point.roc_area_above), eval::OrDash(point.logistic_average),
               eval::OrDash(point.log_loss), point.seconds, fmt::join(point.assignments, " "));
  }
  fmt::print("* no other is both smaller and more accurate\n");
}

void PrintJson(const std::string& index, const std::vector<GridPoint>& points) {
  using nlohmann::ordered_json;
  ordered_json list = ordered_json::array();
  for (const GridPoint& point : points) {
    list.push_back({{"settings", point.assignments},
                    {"nonzeros", point.nonzeros},
                    {"roc_area_above_percent", eval::OrNull(point.roc_area_above)},
                    {"lam_percent", eval::OrNull(point.logistic_average)},
                    {"log_loss", eval::OrNull(point.log_loss)},
                    {"seconds", point.seconds},
                    {"on_frontier", point.on_frontier}});
  }
  const ordered_json json = {{"schema", "thresher-grid/1"}, {"index", index}, {"points", std::move(list)}};
  WriteJson(json);
}

Result<int> RunGrid(const GridFlags& flags) {
  const Result<Settings> settings = flags.model.Resolve();
  if (!settings) return tl::unexpected(settings.error());
  const auto combinations = Combinations(*settings, flags.vary);
  if (!combinations) return tl::unexpected(combinations.error());
  const Split& split = flags.split.Value();
  const auto index = OpenReplayedIndex(flags.index, split);
  if (!index) return tl::unexpected(index.error());

  ReplayOptions options;
  options.kind = flags.document ? tokenizer::Kind::kDocument : tokenizer::Kind::kMail;
  std::vector<GridPoint> points;
  std::vector<std::string> unreadable;
  {
    const uint64_t each = EntriesToRead(*index, split.folds);
    Progress progress("messages", each * combinations->size());
    for (const Combination& combination : *combinations) {
      options.on_progress = [&](uint64_t done) { progress.Set(points.size() * each + done); };
      auto run = RunExperiment({combination.settings, *index, split.folds, options}, nullptr);
      if (!run) return tl::unexpected(run.error());
      unreadable = std::move(run->report.unreadable);  // the same in every run
      points.push_back(Measured(combination, *run));
    }
  }
  SortByFrontier(&points);
  flags.json ? PrintJson(flags.index, points) : PrintText(points);
  for (const std::string& line : unreadable) Fail({kNoInput, line});
  return unreadable.empty() ? 0 : kNoInput;
}

}  // namespace

void AddGrid(CommandLine& line) {
  Command command =
      line.Add("grid", "Replay an index with all combinations of some settings; print accuracy and size");
  command.Footer(
      "Exit code: 0, also if no line is classified or none is taught (reported); 66 if a message could not\n"
      "be read; 65 if the index is malformed; 78 if a value is wrong (checked before the first run).");
  GridFlags& flags = command.Runs(RunGrid);
  command.Add("INDEX", &flags.index, "TREC index file, plain or compressed").Require().Reads();
  command
      .Add("--vary", &flags.vary,
           "KEY=VALUE,VALUE,…: values of a setting, e.g. learner.options.l1=1e-6,1e-5; may be repeated")
      .Require()
      .OneValueEachTime();
  flags.model.AddTo(command);
  flags.model.AddSetting(command, "--learner", "learner.name", "Learner; `thresher learners` lists them");
  flags.model.AddSetting(command, "--threads", "replay.threads");
  for (const char* unused : {"--store", "--model"}) command.Remove(unused);
  flags.split.AddTo(command);
  command.Add("--document", &flags.document, "The messages are plain text without mail headers");
  command.Add("--json", &flags.json, "Print JSON");
}

}  // namespace thresher::pipeline
