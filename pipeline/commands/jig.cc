// thresher jig: a TREC index replayed to any filter that speaks the TREC interface.
#include "pipeline/trec/jig.h"

#include <fmt/format.h>

#include <chrono>
#include <optional>
#include <utility>

#include "pipeline/commands/command.h"
#include "pipeline/commands/jig_report.h"
#include "pipeline/commands/replayed_index.h"
#include "pipeline/terminal/output_file.h"
#include "pipeline/terminal/progress.h"

namespace thresher::pipeline {
namespace {

constexpr double kMostSeconds = 604800;

struct JigFlags {
  std::string filter;
  std::string index;
  std::string out;
  double timeout_seconds = 60;
  bool json = false;
};

Result<FilterRun> Measure(TrecFilter& filter, const TrecIndex& index, OutputFile* out) {
  FilterRun run;
  Progress progress("messages", index.entries.size());
  auto report = Jig(filter, index, [&](size_t done, const eval::Outcome* outcome) {
    progress.Set(done);
    if (outcome == nullptr) return;
    run.outcomes.push_back(*outcome);
    if (out == nullptr) return;
    const TrecEntry& entry = index.entries[done - 1];
    out->Write(eval::FormatResultLine(entry.path, *outcome, {entry.user, entry.genre}));
  });
  if (!report) return tl::unexpected(report.error());
  run.report = *std::move(report);
  return run;
}

Result<int> JigIndex(const JigFlags& flags) {
  const auto index = OpenReplayedIndex(flags.index);
  if (!index) return tl::unexpected(index.error());
  CommandLimits limits;
  limits.time =
      std::chrono::ceil<std::chrono::milliseconds>(std::chrono::duration<double>(flags.timeout_seconds));
  auto filter = TrecFilter::Open(flags.filter, limits);
  if (!filter) return tl::unexpected(filter.error());
  auto out = OutputFile::OpenIfNamed(flags.out);
  if (!out) return tl::unexpected(out.error());
  auto run = Measure(**filter, *index, *out ? &**out : nullptr);
  if (!run) return tl::unexpected(run.error());
  if (*out) {
    if (auto closed = (*out)->Close(); !closed) return tl::unexpected(closed.error());
  }
  run->index = flags.index;
  run->filter = flags.filter;
  // Result lines on standard output are for another program: they stay by themselves.
  (flags.json ? PrintJigJson : PrintJigText)(*run, **filter, flags.out == "-" ? stderr : stdout);
  for (const std::string& line : run->report.unreadable) Fail({kNoInput, line});
  return run->report.unreadable.empty() ? 0 : kNoInput;
}

}  // namespace

void AddJig(CommandLine& line) {
  Command command = line.Add("jig", "Evaluate any filter on a TREC index");
  command.Footer(
      "A filter is a folder with four executables: `initialize`; `classify FILE`, which prints\n"
      "class=ham|spam score=NUMBER tfile=ANYTHING; `train ham|spam FILE CLASS TFILE`; `finalize`. They run\n"
      "in a copy of the folder, which is removed afterwards. If one fails, the message counts as class=ham\n"
      "score=0 and the run continues; the report counts the failures. INDEX is as in `thresher replay`.\n"
      "Exit code: 0, even if the filter failed, and also if no line is classified or none is taught\n"
      "(reported); 66 if a message or an executable is missing; 65 if the index is malformed.");
  JigFlags& flags = command.Runs(JigIndex);
  command.Add("INDEX", &flags.index, "TREC index file, plain or compressed").Require().Reads();
  command.Add("--filter", &flags.filter, "Folder of the filter").Require().Reads();
  command
      .Add("--out", &flags.out,
           "File for one TREC result line per classified message; - is standard output, and the "
           "report is then written to standard error")
      .Writes();
  command.Add("--timeout", &flags.timeout_seconds, "Seconds after which a command of the filter is killed")
      .Check(Takes({.min = 0.001, .max = kMostSeconds}))
      .ShowDefault();
  command.Add("--json", &flags.json, "Print JSON");
}

}  // namespace thresher::pipeline
