#include "pipeline/commands/eval_comparison.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <string_view>
#include <vector>

#include "eval/comparison.h"
#include "eval/pairing.h"
#include "pipeline/shell_word.h"

namespace thresher::pipeline {
namespace {

using nlohmann::ordered_json;

// A message that one of the two got right and the other wrong.
struct Disagreement {
  std::string_view path;
  bool is_spam;
  bool first_is_right;
  double first_score;
  double second_score;
};

std::vector<Disagreement> Disagreements(const ResultFile& first, const ResultFile& second,
                                        const eval::Pairing& pairing) {
  std::vector<Disagreement> disagreements;
  for (const auto [one, two] : pairing.pairs) {
    const eval::Outcome& a = first.results.outcomes[one];
    const eval::Outcome& b = second.results.outcomes[two];
    if (a.called_spam == b.called_spam) continue;
    disagreements.push_back({.path = first.results.paths[one],
                             .is_spam = a.judged_spam,
                             .first_is_right = a.called_spam == a.judged_spam,
                             .first_score = a.score,
                             .second_score = b.score});
  }
  return disagreements;
}

// The command that shows why, ready to be copied.
std::string ExplainCommand(const std::string& folder, std::string_view path) {
  std::string file(path);
  if (!folder.empty() && !file.starts_with('/')) file = folder + (folder.ends_with('/') ? "" : "/") + file;
  if (file.starts_with('-')) file = "./" + file;
  return "thresher explain " + ShellWord(file);
}

void PrintText(const std::vector<Disagreement>& disagreements, const std::string& folder) {
  for (const bool first : {true, false}) {
    fmt::print("\n{} is right and {} wrong, with the scores of both\n", first ? "first" : "second",
               first ? "second" : "first");
    bool any = false;
    for (const Disagreement& d : disagreements) {
      if (d.first_is_right != first) continue;
      any = true;
      fmt::print("  {:<4} {:>12.6g} {:>12.6g}  {}\n", d.is_spam ? "spam" : "ham", d.first_score,
                 d.second_score, ExplainCommand(folder, d.path));
    }
    if (!any) fmt::print("  none\n");
  }
}

ordered_json ToJson(const std::vector<Disagreement>& disagreements, const std::string& folder) {
  ordered_json list = ordered_json::array();
  for (const Disagreement& d : disagreements) {
    list.push_back({{"path", d.path},
                    {"judge", d.is_spam ? "spam" : "ham"},
                    {"right", d.first_is_right ? "first" : "second"},
                    {"first_score", d.first_score},
                    {"second_score", d.second_score},
                    {"explain", ExplainCommand(folder, d.path)}});
  }
  return list;
}

}  // namespace

Compared PrintComparison(const ResultFile& first, const ResultFile& second, const ComparisonFlags& flags) {
  const eval::Pairing pairing = eval::PairUp(first.results, second.results);
  Complain(first, second, pairing);
  std::vector<eval::Outcome> ones;
  std::vector<eval::Outcome> twos;
  ones.reserve(pairing.pairs.size());
  twos.reserve(pairing.pairs.size());
  for (const auto [one, two] : pairing.pairs) {
    ones.push_back(first.results.outcomes[one]);
    twos.push_back(second.results.outcomes[two]);
  }
  const eval::Comparison comparison = eval::Compare(ones, twos, flags.figures.ties, flags.figures.interval);
  std::vector<Disagreement> disagreements;
  if (flags.disagreements) disagreements = Disagreements(first, second, pairing);
  if (flags.json) {
    auto json = ordered_json::parse(eval::FormatJson(comparison, first.path, second.path));
    if (flags.disagreements) json["disagreements"] = ToJson(disagreements, flags.folder);
    fmt::print("{}\n", json.dump(2, ' ', false, ordered_json::error_handler_t::replace));
  } else {
    fmt::print("\n{}", eval::FormatText(comparison, first.path, second.path));
    if (flags.disagreements) PrintText(disagreements, flags.folder);
  }
  return {comparison, pairing.IsWhole()};
}

}  // namespace thresher::pipeline
