// thresher explain: the tokens of a message with their share in its score.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <nlohmann/json.hpp>
#include <span>
#include <utility>

#include "pipeline/answers/explanation.h"
#include "pipeline/answers/needed.h"
#include "pipeline/commands/command.h"
#include "pipeline/commands/field_flags.h"
#include "pipeline/commands/json_output.h"
#include "pipeline/commands/lost_examples.h"
#include "pipeline/delivery/marks.h"
#include "pipeline/delivery/sender_lists.h"
#include "pipeline/model/inspection.h"
#include "pipeline/opening/opening.h"
#include "pipeline/terminal/token_text.h"

namespace thresher::pipeline {
namespace {

using nlohmann::ordered_json;

constexpr size_t kFurtherFields = 10;  // listed one by one; the rest have one line

struct ExplainFlags {
  ModelFlags model;
  InputFlags input;
  FieldFlags fields;
  size_t top = 30;
  bool json = false;
};

std::vector<std::pair<std::string, ContributionTotal>> ByMagnitude(const ContributionTotals& totals) {
  std::vector<std::pair<std::string, ContributionTotal>> sorted(totals.begin(), totals.end());
  std::stable_sort(sorted.begin(), sorted.end(), [](const auto& a, const auto& b) {
    return std::abs(a.second.sum) > std::abs(b.second.sum);
  });
  return sorted;
}

// A row of the table that is not about one token.
void PrintRow(double contribution, std::string_view what) {
  fmt::print("{:>+12.5f} {:>35}  {}\n", contribution, "", what);
}

std::string FurtherTokens(size_t tokens) {
  return fmt::format("{} further token{}", tokens, tokens == 1 ? "" : "s");
}

void PrintFurther(const ContributionTotals& further) {
  const auto sorted = ByMagnitude(further);
  const size_t listed = std::min(sorted.size(), kFurtherFields);
  const std::span<const std::pair<std::string, ContributionTotal>> all = sorted;
  for (const auto& [field, total] : all.first(listed))
    PrintRow(total.sum, fmt::format("{} in {}", FurtherTokens(total.tokens), Printable(field)));
  if (listed == sorted.size()) return;
  ContributionTotal rest;
  for (const auto& [field, total] : all.subspan(listed)) {
    rest.tokens += total.tokens;
    rest.sum += total.sum;
  }
  PrintRow(rest.sum, fmt::format("{} in {} other field{}", FurtherTokens(rest.tokens), sorted.size() - listed,
                                 sorted.size() - listed == 1 ? "" : "s"));
}

void PrintExplanation(const std::string& name, const Explanation& e) {
  const std::string listed = ListedMark(e.decided_by);
  fmt::print("{}: {}, {}probability {:.6f}, margin {:+.9g}\n", Printable(name), NameOf(e.verdict), listed,
             e.score.probability, e.score.margin);
  fmt::print("{} features, {} of them with a non-zero weight{}\n", e.features, e.weighted_features,
             e.truncated ? "; the message exceeded a limit and was truncated" : "");
  const std::string needed = NeededText(e.taught);
  fmt::print("{}{}\n", needed, needed.empty() ? "" : "\n");
  fmt::print("{:>12} {:>10} {:>8} {:>7} {:>7}  {}\n", "contribution", "weight", "value", "ham", "spam",
             "token");
  for (const ExplainedToken& part : e.listed) {
    fmt::print("{:>+12.5f} {:>+10.5f} {:>8.5f} {:>7} {:>7}  {}\n", part.contribution(), part.entry.weight,
               part.value, part.entry.counts.ham, part.entry.counts.spam, Printable(part.text));
  }
  PrintFurther(e.further);
  // A smaller difference is rounding of the sum.
  if (std::abs(e.bias) > 1e-9 * (1 + std::abs(e.score.margin))) PrintRow(e.bias, "bias");
  // The verdict of the lists does not follow from it.
  PrintRow(e.score.margin, listed.empty() ? fmt::format("margin: {}", NameOf(e.verdict)) : "margin");
  fmt::print("\n{:>12} field\n", "contribution");
  for (const auto& [field, total] : ByMagnitude(e.fields))
    fmt::print("{:>+12.5f} {}\n", total.sum, Printable(field));
  fmt::print("\n{}\n", kCountsMeaning);
}

void PrintExplanationAsJson(const std::string& name, const Explanation& e) {
  ordered_json json = {{"message", name}};
  json.update(ExplanationJson(e));
  WriteJson(json);
}

Result<int> ExplainAll(const ExplainFlags& flags) {
  const Result<Settings> settings = flags.model.Resolve();
  if (!settings) return tl::unexpected(settings.error());
  const auto model = OpenForReading(ModelDirectory(*settings), *settings);
  if (!model) return tl::unexpected(model.error());
  const auto lists = SenderLists::Load(*settings);
  if (!lists) return tl::unexpected(lists.error());
  SayIfExamplesAreLost(ModelDirectory(*settings));
  tokenizer::Tokenizer tokenizer = model->identity().MakeTokenizer();
  tokenizer::Features features;
  const auto read = flags.input.ForEach([&](const RawMessage& message) -> Result<void> {
    tokenizer.Tokenize(message.bytes, flags.input.kind(), &features, settings->user);
    auto explanation = Explain(*model, features, settings->thresholds, flags.top,
                               [&](std::string_view field) { return flags.fields.Wants(field); });
    if (!explanation) return tl::unexpected(explanation.error());
    if (auto decided = lists->Decide(message.bytes, settings->lists.authserv_id)) {
      explanation->verdict = decided->verdict;
      explanation->decided_by = std::move(decided->entry);
    }
    std::vector<std::string> known;
    for (const auto& [field, total] : explanation->fields) known.push_back(field);
    // Another message may have it.
    if (const auto missing = flags.fields.Missing(known, Printable(message.name)))
      fmt::print(stderr, "thresher: {}\n", *missing);
    (flags.json ? PrintExplanationAsJson : PrintExplanation)(message.name, *explanation);
    return {};
  });
  if (!read) return tl::unexpected(read.error());
  if (read->IsEmpty()) return tl::unexpected(NoMessage());
  return read->ExitCode();
}

}  // namespace

void AddExplain(CommandLine& line) {
  Command command = line.Add("explain", "Print the tokens of a message by their contribution to its margin");
  command.Footer(fmt::format(
      "contribution = weight × value; > 0 speaks for spam. All contributions add up to the margin: tokens\n"
      "that are not listed are summed by field.\n{}",
      kCountsMeaning));
  ExplainFlags& flags = command.Runs(ExplainAll);
  flags.model.AddTo(command);
  flags.model.AddUser(command);
  flags.input.AddTo(command);
  command.Add("--top", &flags.top, "Number of tokens to list; 0 for all").Check(WholeNumber()).ShowDefault();
  flags.fields.AddTo(command);
  command.Add("--json", &flags.json, "Print JSON");
}

}  // namespace thresher::pipeline
