#include "pipeline/commands/jig_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <numeric>

#include "eval/figures.h"
#include "eval/report.h"
#include "eval/report_json.h"
#include "pipeline/commands/json_output.h"
#include "pipeline/terminal/token_text.h"

namespace thresher::pipeline {
namespace {

using nlohmann::ordered_json;

constexpr FilterCommand kAllCommands[] = {FilterCommand::kInitialize, FilterCommand::kClassify,
                                          FilterCommand::kTrain, FilterCommand::kFinalize};

eval::Summary Figures(const FilterRun& run) {
  return eval::Summarise({{"verdicts as given", eval::Tabulate(run.outcomes)}}, run.outcomes);
}

// Milliseconds of a call.
struct Timing {
  double median = 0;
  double worst = 0;
};

// REQUIRES: there was a call.
Timing TimingOf(const CommandRecord& record) {
  std::vector<float> seconds = record.seconds;
  const auto middle = seconds.begin() + static_cast<ptrdiff_t>((seconds.size() - 1) / 2);
  std::nth_element(seconds.begin(), middle, seconds.end());
  return {1000.0 * *middle, 1000.0 * *std::max_element(middle, seconds.end())};
}

uint64_t FailuresOf(const CommandRecord& record) {
  return std::accumulate(record.failures.begin(), record.failures.end(), uint64_t{0});
}

// A message that was classified and trained counts once.
double MessagesPerSecond(const JigReport& report) {
  return static_cast<double>(std::max(report.classified, report.trained)) / report.seconds;
}

void PrintRecord(FilterCommand command, const CommandRecord& record, std::FILE* to) {
  if (record.seconds.empty()) return;
  const Timing timing = TimingOf(record);
  fmt::print(to, "{:<16} {} times: median {:.2f} ms, worst {:.2f} ms\n", NameOf(command),
             record.seconds.size(), timing.median, timing.worst);
}

void PrintFailures(FilterCommand command, const CommandRecord& record, std::FILE* to) {
  if (FailuresOf(record) == 0) return;
  fmt::print(to, "FAILED           {}:", NameOf(command));
  for (size_t kind = 0; kind < kFailures; ++kind) {
    if (record.failures[kind] > 0)
      fmt::print(to, " {} × {};", record.failures[kind], NameOf(static_cast<Failure>(kind)));
  }
  fmt::print(to, " first: {}\n", Printable(record.first_failure));
}

ordered_json ToJson(const CommandRecord& record) {
  ordered_json failures = ordered_json::object();
  for (size_t kind = 0; kind < kFailures; ++kind) {
    if (record.failures[kind] > 0)
      failures[std::string(NameOf(static_cast<Failure>(kind)))] = record.failures[kind];
  }
  ordered_json json = {{"calls", record.seconds.size()}};
  if (!record.seconds.empty()) {
    const Timing timing = TimingOf(record);
    json["median_ms"] = timing.median;
    json["worst_ms"] = timing.worst;
  }
  json["failures"] = failures;
  if (!failures.empty()) json["first_failure"] = Printable(record.first_failure);
  return json;
}

}  // namespace

void PrintJigText(const FilterRun& run, const TrecFilter& filter, std::FILE* to) {
  fmt::print(to, "{}\nfilter {}\n\n{}\n", run.index, run.filter, eval::FormatText(Figures(run)));
  fmt::print(to, "speed            {:.1f} messages/s\n", MessagesPerSecond(run.report));
  for (const FilterCommand command : kAllCommands) PrintRecord(command, filter.RecordOf(command), to);
  fmt::print(to, "peak memory      {:.1f} MB, of the largest process; state {:.1f} MB\n",
             static_cast<double>(filter.peak_kib()) * 1024 / 1e6,
             static_cast<double>(run.report.state_bytes) / 1e6);
  for (const FilterCommand command : kAllCommands) PrintFailures(command, filter.RecordOf(command), to);
}

void PrintJigJson(const FilterRun& run, const TrecFilter& filter, std::FILE* to) {
  ordered_json json = {{"index", run.index},
                       {"filter", run.filter},
                       {"figures", eval::ToJson(Figures(run))},
                       {"classified", run.report.classified},
                       {"trained", run.report.trained},
                       {"unreadable", run.report.unreadable.size()},
                       {"seconds", run.report.seconds},
                       {"messages_per_second", MessagesPerSecond(run.report)},
                       {"peak_memory_kib", filter.peak_kib()},
                       {"state_bytes", run.report.state_bytes}};
  for (const FilterCommand command : kAllCommands)
    json["commands"][std::string(NameOf(command))] = ToJson(filter.RecordOf(command));
  WriteJson(json, 2, to);
}

}  // namespace thresher::pipeline
