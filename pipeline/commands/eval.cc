// thresher eval: the figures of result files.
#include <fmt/format.h>

#include <fstream>
#include <iostream>

#include "eval/report.h"
#include "pipeline/commands/command.h"

namespace thresher::pipeline {
namespace {

struct Flags {
  std::vector<std::string> paths = {"-"};
  bool json = false;
};

Result<eval::Results> ReadFrom(const std::string& path) {
  if (path == "-") return eval::ReadResults(std::cin);
  std::ifstream in(path);
  if (!in) return tl::unexpected(Error{kNoInput, path + ": cannot be read"});
  return eval::ReadResults(in);
}

Result<int> Evaluate(const Flags& flags) {
  int code = 0;
  for (const std::string& path : flags.paths) {
    const auto results = ReadFrom(path);
    if (!results) return tl::unexpected(results.error());
    for (const eval::BadLine& bad : results->bad_lines)
      fmt::print(stderr, "thresher: {}:{}: {}\n", path, bad.number, bad.what);
    if (results->bad_line_count > 0) {
      fmt::print(stderr, "thresher: {}: {} malformed lines left out\n", path, results->bad_line_count);
      code = kData;
    }
    if (results->outcomes.empty())
      return tl::unexpected(Error{kData, path + ": no result line in this file"});
    const eval::Summary summary =
        eval::Summarise({{"verdicts as given", eval::Tabulate(results->outcomes)}}, results->outcomes);
    if (flags.json) {
      fmt::print("{}\n", eval::FormatJson(summary));
    } else {
      fmt::print("{}\n{}", path, eval::FormatText(summary));
    }
  }
  return code;
}

}  // namespace

void AddEval(CLI::App& app, int* exit_code) {
  CLI::App* command =
      app.add_subcommand("eval", "Print the contingency table and figures of TREC result files");
  command->footer(
      "A result line is `PATH judge=ham class=ham score=-3.21456789`; greater scores are more like spam.\n"
      "Exit code: 0; 65 if a line is malformed (it is reported and left out) or there is none; 66 if a file "
      "cannot be read.");
  auto flags = std::make_shared<Flags>();
  command->add_option("RESULTS", flags->paths, "Result files; - is standard input")->capture_default_str();
  command->add_flag("--json", flags->json, "Print a JSON object per file");
  command->callback([=] { *exit_code = Run([&] { return Evaluate(*flags); }); });
}

}  // namespace thresher::pipeline
