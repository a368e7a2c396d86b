// thresher eval: the figures of result files.
#include <fmt/format.h>

#include <fstream>
#include <iostream>
#include <nlohmann/json.hpp>

#include "eval/comparison.h"
#include "eval/report.h"
#include "eval/resample.h"
#include "pipeline/commands/command.h"

namespace thresher::pipeline {
namespace {

struct Flags {
  std::vector<std::string> paths = {"-"};
  bool json = false;
  bool disagreements = false;
};

Result<eval::Results> ReadFrom(const std::string& path) {
  if (path == "-") return eval::ReadResults(std::cin);
  std::ifstream in(path);
  if (!in) return tl::unexpected(Error{kNoInput, path + ": cannot be read"});
  return eval::ReadResults(in);
}

// Complains of what could not be used; says whether there was anything.
bool Complain(const std::string& path, const eval::Results& results) {
  for (const eval::BadLine& bad : results.bad_lines)
    fmt::print(stderr, "thresher: {}:{}: {}\n", path, bad.number, bad.what);
  if (results.bad_line_count > 0)
    fmt::print(stderr, "thresher: {}: {} malformed lines left out\n", path, results.bad_line_count);
  return results.bad_line_count > 0;
}

void Complain(const std::string& first, const std::string& second, const eval::Pairing& pairing) {
  if (pairing.only_in_first > 0)
    fmt::print(stderr, "thresher: {} messages are in {} only\n", pairing.only_in_first, first);
  if (pairing.only_in_second > 0)
    fmt::print(stderr, "thresher: {} messages are in {} only\n", pairing.only_in_second, second);
  if (pairing.repeated > 0)
    fmt::print(stderr, "thresher: {} lines repeat a message; its first line counts\n", pairing.repeated);
  if (pairing.judged_differently > 0)
    fmt::print(stderr, "thresher: {} messages are judged differently in {} and {}; left out\n",
               pairing.judged_differently, first, second);
}

void PrintSummary(const std::string& path, const eval::Results& results, bool json) {
  const eval::Summary summary =
      eval::Summarise({{"verdicts as given", eval::Tabulate(results.outcomes)}}, results.outcomes);
  if (!json) {
    fmt::print("{}\n{}", path, eval::FormatText(summary));
    return;
  }
  nlohmann::ordered_json named = {{"results", path}};
  named.update(nlohmann::ordered_json::parse(eval::FormatJson(summary)));
  fmt::print("{}\n", named.dump(2, ' ', false, nlohmann::json::error_handler_t::replace));
}

// The messages that one of the two got right and the other wrong.
void PrintDisagreements(const eval::Results& first, const eval::Results& second,
                        const eval::Pairing& pairing) {
  fmt::print("\nwrong by one of them only\n");
  for (const auto [one, two] : pairing.pairs) {
    const eval::Outcome& a = first.outcomes[one];
    const eval::Outcome& b = second.outcomes[two];
    if (a.called_spam == b.called_spam) continue;
    fmt::print("  {:<7} {}, really {}; scores {:.6g} and {:.6g}\n",
               a.called_spam == a.judged_spam ? "second" : "first", first.paths[one],
               a.judged_spam ? "spam" : "ham", a.score, b.score);
  }
}

// Returns whether all messages were in both.
bool PrintComparison(const Flags& flags, const std::vector<eval::Results>& results, size_t other) {
  const eval::Pairing pairing = eval::PairUp(results[0], results[other]);
  Complain(flags.paths[0], flags.paths[other], pairing);
  std::vector<eval::Outcome> first;
  std::vector<eval::Outcome> second;
  for (const auto [one, two] : pairing.pairs) {
    first.push_back(results[0].outcomes[one]);
    second.push_back(results[other].outcomes[two]);
  }
  const eval::Comparison comparison = eval::Compare(first, second, eval::kResamples);
  const std::string text = flags.json ? eval::FormatJson(comparison, flags.paths[0], flags.paths[other])
                                      : eval::FormatText(comparison, flags.paths[0], flags.paths[other]);
  fmt::print("{}{}", flags.json ? "" : "\n", text);
  if (flags.disagreements && !flags.json) PrintDisagreements(results[0], results[other], pairing);
  return pairing.only_in_first + pairing.only_in_second + pairing.repeated + pairing.judged_differently == 0;
}

Result<int> Evaluate(const Flags& flags) {
  bool flawless = true;
  std::vector<eval::Results> all;
  for (const std::string& path : flags.paths) {
    auto results = ReadFrom(path);
    if (!results) return tl::unexpected(results.error());
    flawless &= !Complain(path, *results);
    if (results->outcomes.empty())
      return tl::unexpected(Error{kData, path + ": no result line in this file"});
    PrintSummary(path, *results, flags.json);
    if (flags.paths.size() > 1) all.push_back(*std::move(results));
  }
  for (size_t other = 1; other < all.size(); ++other) flawless &= PrintComparison(flags, all, other);
  return flawless ? 0 : kData;
}

}  // namespace

void AddEval(CLI::App& app, int* exit_code) {
  CLI::App* command = app.add_subcommand(
      "eval", "Print the contingency table and figures of TREC result files, and compare them");
  command->footer(
      "A result line is `PATH judge=ham class=ham score=-3.21456789`; greater scores are more like spam; "
      "`probability=` may "
      "follow.\n"
      "Of several files, each is compared with the first on the messages they share.\n"
      "Exit code: 0; 65 if a line is malformed (it is reported and left out), there is none, or files do not "
      "hold the same messages; 66 if a file "
      "cannot be read.");
  auto flags = std::make_shared<Flags>();
  command->add_option("RESULTS", flags->paths, "Result files; - is standard input")->capture_default_str();
  command->add_flag("--disagreements", flags->disagreements,
                    "List the messages that one of two filters got right and the other wrong");
  command->add_flag("--json", flags->json, "Print a JSON object per file and per comparison");
  command->callback([=] { *exit_code = Run([&] { return Evaluate(*flags); }); });
}

}  // namespace thresher::pipeline
