#include "pipeline/commands/eval_comparison.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <string_view>
#include <vector>

#include "eval/comparison.h"
#include "eval/pairing.h"
#include "eval/report_json.h"
#include "pipeline/commands/disagreement.h"
#include "pipeline/commands/json_output.h"

namespace thresher::pipeline {
namespace {

std::vector<Disagreement> Disagreements(const ComparedFile& first, const ComparedFile& second,
                                        const eval::Pairing& pairing, const ComparisonFlags& flags) {
  std::vector<Disagreement> disagreements;
  for (const auto [one, two] : pairing.pairs) {
    const eval::Outcome& a = first.file.results.outcomes[one];
    const eval::Outcome& b = second.file.results.outcomes[two];
    if (a.called_spam == b.called_spam) continue;
    const bool first_is_right = a.called_spam == a.judged_spam;
    // Only one of the files may name the users.
    const eval::WordColumn& users =
        first.file.results.users.empty() ? second.file.results.users : first.file.results.users;
    const uint32_t line = first.file.results.users.empty() ? two : one;
    const ExplainedMessage message{.file = MessageFile(flags.folder, first.file.results.paths[one]),
                                   .user = flags.personal ? users.words()[users[line]] : "",
                                   .is_document = flags.document};
    disagreements.push_back({.path = first.file.results.paths[one],
                             .file = message.file,
                             .explain = ExplainCommand((first_is_right ? second : first).model, message),
                             .is_spam = a.judged_spam,
                             .first_is_right = first_is_right,
                             .first_score = a.score,
                             .second_score = b.score});
  }
  return disagreements;
}

}  // namespace

Compared PrintComparison(const ComparedFile& first, const ComparedFile& second,
                         const ComparisonFlags& flags) {
  const eval::Pairing pairing = eval::PairUp(first.file.results, second.file.results);
  ReportUnpaired(first.file, second.file, pairing);
  const bool same_order =
      std::ranges::is_sorted(pairing.pairs, {}, [](const auto& pair) { return pair.second; });
  if (!same_order && flags.figures.ties == eval::Ties::kTrec)
    fmt::print(stderr, "{}: its messages have another order than in {}, which decides ties below\n",
               second.file.path, first.file.path);
  std::vector<eval::Outcome> ones;
  std::vector<eval::Outcome> twos;
  ones.reserve(pairing.pairs.size());
  twos.reserve(pairing.pairs.size());
  for (const auto [one, two] : pairing.pairs) {
    ones.push_back(first.file.results.outcomes[one]);
    twos.push_back(second.file.results.outcomes[two]);
  }
  const eval::Comparison comparison = eval::Compare(ones, twos, flags.figures.ties, flags.figures.interval);
  std::vector<Disagreement> disagreements;
  if (flags.disagreements) disagreements = Disagreements(first, second, pairing, flags);
  if (flags.json) {
    auto json = eval::ToJson(comparison, first.file.path, second.file.path);
    if (flags.disagreements) json["disagreements"] = ToJson(disagreements);
    WriteJson(json);
  } else {
    fmt::print("\n{}", eval::FormatText(comparison, first.file.path, second.file.path));
    if (flags.disagreements) PrintText(disagreements);
  }
  return {comparison, pairing.IsWhole()};
}

}  // namespace thresher::pipeline
