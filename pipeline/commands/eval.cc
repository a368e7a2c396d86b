// thresher eval: figures of result files, or of verdicts in mail, and their comparison.
#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <optional>
#include <utility>

#include "eval/report.h"
#include "eval/report_json.h"
#include "pipeline/commands/command.h"
#include "pipeline/commands/eval_comparison.h"
#include "pipeline/commands/figure_flags.h"
#include "pipeline/commands/html_file.h"
#include "pipeline/commands/json_output.h"
#include "pipeline/commands/mailbox_results.h"
#include "pipeline/commands/opened_results.h"
#include "pipeline/terminal/awaiting.h"
#include "pipeline/terminal/token_text.h"

namespace thresher::pipeline {
namespace {

struct EvalFlags {
  std::vector<std::string> paths = {"-"};
  MailboxFlags mailbox;
  FigureFlags figures;
  std::string by;
  std::vector<double> thresholds;
  uint64_t curve = 0;
  uint64_t window = 0;
  std::string html;
  std::vector<std::string> stores;
  std::vector<std::string> models;
  ComparisonFlags comparison;
};

// The value for one of the files of an option that is given once for all files or once for each.
const std::string& ValueFor(size_t file, const std::vector<std::string>& values) {
  return values[values.size() == 1 ? 0 : file];
}

// The models of the result files, from --store and --model.
Result<std::vector<std::optional<ModelPlace>>> PlacesOfModels(const EvalFlags& flags) {
  const size_t files = flags.paths.size();
  const std::pair<const char*, const std::vector<std::string>*> options[] = {{"--store", &flags.stores},
                                                                             {"--model", &flags.models}};
  for (const auto& [name, values] : options) {
    if (values->size() <= 1 || values->size() == files) continue;
    return tl::unexpected(
        Error{kUsage, fmt::format("{}: expected one for all {} result files or one for each, not {}", name,
                                  files, values->size())});
  }
  std::vector<std::optional<ModelPlace>> stored(files);
  for (size_t file = 0; file < files && !flags.stores.empty(); ++file) {
    stored[file] = ModelPlace{.store = ValueFor(file, flags.stores),
                              .model = flags.models.empty() ? std::string() : ValueFor(file, flags.models)};
  }
  return stored;
}

Result<eval::Summary> SummaryOf(const ResultFile& file, const EvalFlags& flags) {
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
    return tl::unexpected(
        Error{kData, fmt::format("{}: --by {}: no line has a field {}=", file.path, flags.by, flags.by)});
  summary.grouped_by = flags.by;
  summary.groups = eval::FiguresBy(column, results.outcomes, ties);
  for (eval::GroupFigures& group : summary.groups) group.name = Printable(group.name);
  return summary;
}

eval::HtmlRun DrawFile(const ResultFile& file, eval::Summary summary, const std::vector<double>& thresholds,
                       eval::MessageOrder order) {
  eval::HtmlRun run = eval::DrawRun(file.path, std::move(summary), file.results.outcomes, order);
  for (const double threshold : thresholds)
    run.thresholds.push_back({fmt::format("spam from score {:.9g}", threshold), threshold});
  for (size_t line = 0; line < file.results.outcomes.size(); ++line)
    run.worst.Add(file.results.paths[line], file.results.outcomes[line]);
  return run;
}

void Print(const std::string& path, const eval::Summary& summary, bool json) {
  if (!json) {
    fmt::print("{}\n{}", path, eval::FormatText(summary));
    return;
  }
  nlohmann::ordered_json named = {{"results", path}};
  named.update(eval::ToJson(summary));
  WriteJson(named);
}

Result<std::vector<ResultFile>> OpenAll(const EvalFlags& flags) {
  if (!flags.mailbox.headers.empty()) return ReadMailbox(flags.mailbox);
  std::vector<ResultFile> files;
  for (const std::string& path : flags.paths) {
    SayAwaited(path, "result lines");
    auto file = OpenResultFile(path);
    if (!file) return tl::unexpected(file.error());
    files.push_back(*std::move(file));
  }
  return files;
}

Result<int> Evaluate(const EvalFlags& given) {
  EvalFlags flags = given;
  const bool is_mailbox = !flags.mailbox.headers.empty();
  if (is_mailbox) flags.paths = flags.mailbox.headers;
  flags.comparison.figures = flags.figures.Options();
  if (is_mailbox && flags.comparison.figures.ties == eval::Ties::kTrec)
    return tl::unexpected(Error{kUsage, "--ties trec: the messages of --header are in no order of time"});
  if (flags.comparison.disagreements && flags.paths.size() < 2)
    return tl::unexpected(Error{kUsage, "--disagreements: expected two filters, found one"});
  const auto stored = PlacesOfModels(flags);
  if (!stored) return tl::unexpected(stored.error());
  auto html = HtmlFile::Open(flags.html);
  if (!html) return tl::unexpected(html.error());
  const auto files = OpenAll(flags);
  if (!files) return tl::unexpected(files.error());
  bool flawless = true;
  std::vector<eval::HtmlRun> drawn;
  for (const ResultFile& file : *files) {
    flawless &= file.IsFlawless();
    auto summary = SummaryOf(file, flags);
    if (!summary) return tl::unexpected(summary.error());
    Print(file.path, *summary, flags.comparison.json);
    const auto order = is_mailbox ? eval::MessageOrder::kNone : eval::MessageOrder::kOfTime;
    if (html->IsWanted()) drawn.push_back(DrawFile(file, *std::move(summary), flags.thresholds, order));
  }
  const ResultFile& first = files->front();
  std::vector<eval::HtmlComparison> compared;
  for (size_t i = 1; i < files->size(); ++i) {
    const ResultFile& other = (*files)[i];
    const Compared pair = PrintComparison({first, (*stored)[0]}, {other, (*stored)[i]}, flags.comparison);
    // Mail that came before a filter was installed has no header of it.
    flawless &= pair.is_whole || is_mailbox;
    compared.push_back({first.path, other.path, pair.comparison});
  }
  if (auto written = html->Write(drawn, compared); !written) return tl::unexpected(written.error());
  return flawless ? 0 : kData;
}

// What the list of disagreements needs to print `thresher explain` commands.
void AddExplainOptions(EvalFlags& flags, Command command) {
  FlagGroup group = command.AddGroup(
      "Explain", "For the list of --disagreements, which prints a `thresher explain` command per message");
  group
      .Add("--store", &flags.stores,
           "Store in which `replay --store` kept the model of the result file; once, or "
           "once per file in their order")
      .OneValueEachTime()
      .Needs("--disagreements");
  group.Add("--model", &flags.models, "Name of the model in that store; once, or once per file")
      .OneValueEachTime()
      .Needs("--store");
  group.Add("--folder", &flags.comparison.folder, "Folder of the index: paths of messages begin there")
      .Needs("--disagreements");
  group
      .Add("--document", &flags.comparison.document,
           "The messages are plain text without mail headers (`replay --document`)")
      .Needs("--disagreements");
  group
      .Add("--personal", &flags.comparison.personal,
           "The model was trained with `replay --personal`: the commands name the user")
      .Needs("--disagreements");
}

}  // namespace

void AddEval(CommandLine& line) {
  Command command =
      line.Add("eval", "Print contingency tables and figures of TREC result files, and compare the files");
  command.Footer(
      "A result line is `PATH judge=ham class=ham score=-3.21456789`; greater scores are more like spam.\n"
      "The fields probability=, user= and genre= may follow. With several files, each is compared with\n"
      "the first on the messages that both have. So are several headers of --header, which reads verdicts\n"
      "out of mail, as in\n"
      "\n"
      "    thresher eval --spam Maildir/.Junk --ham Maildir --header X-Bogosity --header X-Thresher\n"
      "\n"
      "Exit code: 0; 65 if a line is malformed (the first ones are reported, all are left out), if a file\n"
      "has no result line, or if the files have different messages; 66 if a file cannot be read.");
  EvalFlags& flags = command.Runs(Evaluate);
  command.Add("RESULTS", &flags.paths, "Result files, plain or compressed; - is standard input")
      .ShowDefault()
      .Reads();
  flags.mailbox.AddTo(command);
  flags.figures.AddTo(command);
  command
      .Add("--threshold", &flags.thresholds,
           "Add a table as if every message with at least this score were called spam; may be repeated")
      .Check(Takes({.min = -schema::kNoLimit}))
      .OneValueEachTime();
  command.Add("--by", &flags.by, "Figures for each user or each genre").Check(OneOf({"user", "genre"}));
  command.Add("--curve", &flags.curve, "Figures at this many points of the stream")
      .Check(WholeNumber())
      .Excludes({"--header"});
  command
      .Add("--window", &flags.window,
           "Messages before each point of the curve that its window holds (default: those since the "
           "previous point)")
      .Check(WholeNumber())
      .Needs("--curve");
  command.Add("--disagreements", &flags.comparison.disagreements,
              "List the messages that one of two filters got right and the other wrong");
  AddExplainOptions(flags, command);
  command.Add("--json", &flags.comparison.json, "Print a JSON object for each file and each comparison");
  HtmlFile::AddTo(command, &flags.html);
}

}  // namespace thresher::pipeline
