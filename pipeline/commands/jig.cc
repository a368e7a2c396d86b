// thresher jig: a TREC index replayed to any filter that speaks the TREC interface.
#include "pipeline/jig/jig.h"

#include <fmt/format.h>

#include <chrono>
#include <optional>
#include <utility>

#include "eval/number.h"
#include "pipeline/commands/command.h"
#include "pipeline/commands/jig_report.h"
#include "pipeline/output_file.h"
#include "pipeline/progress.h"

namespace thresher::pipeline {
namespace {

constexpr double kMostSeconds = 604800;

struct Flags {
  std::string filter;
  std::string index;
  std::string out;
  double timeout_seconds = 60;
  bool json = false;
};

CLI::Validator Seconds() {
  const auto check = [](const std::string& text) -> std::string {
    const std::optional<double> value = eval::ReadNumber(text);
    if (value && *value >= 0.001 && *value <= kMostSeconds) return {};
    return fmt::format("{} is not a number of seconds from 0.001 to {:.0f}", text, kMostSeconds);
  };
  return {check, "SECONDS"};
}

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

Result<int> JigIndex(const Flags& flags) {
  auto index = ReadTrecIndex(flags.index);
  if (!index) return tl::unexpected(index.error());
  if (index->entries.empty()) return tl::unexpected(Error{kData, flags.index + ": no message in this index"});
  CommandLimits limits;
  limits.time =
      std::chrono::ceil<std::chrono::milliseconds>(std::chrono::duration<double>(flags.timeout_seconds));
  auto filter = TrecFilter::Open(flags.filter, limits);
  if (!filter) return tl::unexpected(filter.error());
  std::optional<OutputFile> out;
  if (!flags.out.empty()) {
    auto opened = OutputFile::Open(flags.out);
    if (!opened) return tl::unexpected(opened.error());
    out.emplace(*std::move(opened));
  }
  auto run = Measure(**filter, *index, out ? &*out : nullptr);
  if (!run) return tl::unexpected(run.error());
  if (out) {
    if (auto closed = out->Close(); !closed) return tl::unexpected(closed.error());
  }
  run->index = flags.index;
  run->filter = flags.filter;
  // Result lines on standard output are for another program: they stay by themselves.
  (flags.json ? PrintJigJson : PrintJigText)(*run, **filter, flags.out == "-" ? stderr : stdout);
  for (const std::string& line : run->report.unreadable) Fail({kNoInput, line});
  return run->report.unreadable.empty() ? 0 : kNoInput;
}

}  // namespace

void AddJig(CLI::App& app, int* exit_code) {
  CLI::App* command =
      app.add_subcommand("jig", "Replay a TREC index to any filter; print its tables and figures");
  command->footer(
      "The filter is a folder with four executables: `initialize`; `classify FILE`, which prints "
      "class=ham|spam score=NUMBER tfile=ANYTHING;\n"
      "`train ham|spam FILE CLASS TFILE`; `finalize`. They run in a copy of the folder that is removed "
      "afterwards. Where one fails,\n"
      "the message counts as class=ham score=0 and the run goes on; failures are counted in the report. "
      "INDEX is as in `thresher replay`.\n"
      "Exit code: 0, also where the filter failed; 66 if a message or an executable is missing; 65 if the "
      "index is malformed.");
  auto flags = std::make_shared<Flags>();
  command->add_option("INDEX", flags->index, "TREC index file, plain or compressed")->required();
  command->add_option("--filter", flags->filter, "The filter's folder")->required();
  command->add_option("--out", flags->out,
                      "Write a TREC result line per classified message to this file; - is standard output, "
                      "and the report then goes to standard error");
  command->add_option("--timeout", flags->timeout_seconds, "Kill a command that takes longer than this")
      ->check(Seconds())
      ->capture_default_str();
  command->add_flag("--json", flags->json, "Print JSON");
  command->callback([=] { *exit_code = Run([&] { return JigIndex(*flags); }); });
}

}  // namespace thresher::pipeline
