// thresher eval: the figures of result files.
#include <fmt/format.h>

#include <cmath>
#include <nlohmann/json.hpp>
#include <optional>
#include <utility>

#include "eval/number.h"
#include "eval/report.h"
#include "pipeline/commands/command.h"
#include "pipeline/commands/eval_comparison.h"
#include "pipeline/commands/figure_flags.h"
#include "pipeline/commands/html_file.h"
#include "pipeline/commands/opened_results.h"

namespace thresher::pipeline {
namespace {

CLI::Validator FiniteNumber() {
  const auto check = [](const std::string& text) -> std::string {
    const std::optional<double> value = eval::ReadNumber(text);
    return value && std::isfinite(*value) ? std::string() : text + " is not a finite number";
  };
  return {check, "NUMBER"};
}

struct Flags {
  std::vector<std::string> paths = {"-"};
  FigureFlags figures;
  std::string by;
  std::vector<double> thresholds;
  uint64_t curve = 0;
  uint64_t window = 0;
  std::string html;
  ComparisonFlags comparison;
};

Result<eval::Summary> SummaryOf(const ResultFile& file, const Flags& flags) {
  const eval::Results& results = file.results;
  const eval::Ties ties = flags.comparison.figures.ties;
  std::vector<eval::NamedTable> tables = {{"verdicts as given", eval::Tabulate(results.outcomes)}};
  for (const double threshold : flags.thresholds)
    tables.push_back(
        {fmt::format("spam if score ≥ {:.9g}", threshold), eval::TabulateAt(threshold, results.outcomes)});
  eval::Summary summary = eval::Summarise(std::move(tables), results.outcomes, flags.comparison.figures);
  if (flags.curve > 0) {
    summary.curve = eval::LearningCurve(
        results.outcomes, eval::EvenEnds(results.outcomes.size(), flags.curve), flags.window, ties);
  }
  if (flags.by.empty()) return summary;
  const eval::WordColumn& column = flags.by == "user" ? results.users : results.genres;
  if (column.empty())
    return tl::unexpected(Error{kData, fmt::format("{}: no line has a {}=", file.path, flags.by)});
  summary.grouped_by = flags.by;
  summary.groups = eval::FiguresBy(column, results.outcomes, ties);
  return summary;
}

void Print(const std::string& path, const eval::Summary& summary, bool json) {
  if (!json) {
    fmt::print("{}\n{}", path, eval::FormatText(summary));
    return;
  }
  nlohmann::ordered_json named = {{"results", path}};
  named.update(nlohmann::ordered_json::parse(eval::FormatJson(summary)));
  fmt::print("{}\n", named.dump(2, ' ', false, nlohmann::json::error_handler_t::replace));
}

Result<int> Evaluate(Flags flags) {
  flags.comparison.figures = flags.figures.Options();
  auto html = HtmlFile::Open(flags.html);
  if (!html) return tl::unexpected(html.error());
  bool flawless = true;
  std::vector<ResultFile> files;
  std::vector<eval::HtmlRun> drawn;
  for (const std::string& path : flags.paths) {
    auto file = OpenResultFile(path);
    if (!file) return tl::unexpected(file.error());
    flawless &= file->IsFlawless();
    auto summary = SummaryOf(*file, flags);
    if (!summary) return tl::unexpected(summary.error());
    Print(path, *summary, flags.comparison.json);
    if (html->IsWanted()) drawn.push_back(eval::DrawRun(path, *std::move(summary), file->results.outcomes));
    if (flags.paths.size() > 1) files.push_back(*std::move(file));
  }
  std::vector<eval::HtmlComparison> compared;
  for (size_t other = 1; other < files.size(); ++other) {
    const Compared pair = PrintComparison(files[0], files[other], flags.comparison);
    flawless &= pair.is_whole;
    compared.push_back({files[0].path, files[other].path, pair.comparison});
  }
  if (auto written = html->Write(drawn, compared); !written) return tl::unexpected(written.error());
  return flawless ? 0 : kData;
}

}  // namespace

void AddEval(CLI::App& app, int* exit_code) {
  CLI::App* command = app.add_subcommand(
      "eval", "Print the contingency table and figures of TREC result files, and compare them");
  command->footer(
      "A result line is `PATH judge=ham class=ham score=-3.21456789`; greater scores are more like spam; "
      "`probability=`, `user=` and `genre=` may follow.\n"
      "Of several files, each is compared with the first on the messages they share.\n"
      "Exit code: 0; 65 if a line is malformed (it is reported and left out), there is none, or files do not "
      "hold the same messages; 66 if a file cannot be read.");
  auto flags = std::make_shared<Flags>();
  command->add_option("RESULTS", flags->paths, "Result files, plain or compressed; - is standard input")
      ->capture_default_str();
  flags->figures.AddTo(command);
  command
      ->add_option("--threshold", flags->thresholds,
                   "A table besides, as if what scores at least this were called spam; may be repeated")
      ->check(FiniteNumber())
      ->allow_extra_args(false);
  command->add_option("--by", flags->by, "Figures of each: user or genre")
      ->check(CLI::IsMember({"user", "genre"}));
  auto* curve = command->add_option("--curve", flags->curve, "Figures at so many points of the stream")
                    ->check(WholeNumber());
  command
      ->add_option("--window", flags->window,
                   "Messages that a point of the curve looks back at (default: those since the one before)")
      ->check(WholeNumber())
      ->needs(curve);
  command->add_flag("--disagreements", flags->comparison.disagreements,
                    "List the messages that one of two filters got right and the other wrong");
  command->add_option("--folder", flags->comparison.folder,
                      "Where paths of messages begin (their index's folder), for the commands in that list");
  command->add_flag("--json", flags->comparison.json, "Print a JSON object per file and per comparison");
  HtmlFile::AddTo(command, &flags->html);
  command->callback([=] { *exit_code = Run([&] { return Evaluate(*flags); }); });
}

}  // namespace thresher::pipeline
