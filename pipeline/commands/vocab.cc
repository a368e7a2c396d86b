// thresher vocab: the sparse vocabulary a model has learned.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <nlohmann/json.hpp>

#include "pipeline/commands/command.h"
#include "pipeline/commands/field_flags.h"
#include "pipeline/commands/json_output.h"
#include "pipeline/commands/lost_examples.h"
#include "pipeline/model/distinct_counter.h"
#include "pipeline/model/inspection.h"
#include "pipeline/model/ngram_chains.h"
#include "pipeline/opening/opening.h"
#include "pipeline/terminal/pattern.h"
#include "pipeline/terminal/token_text.h"

namespace thresher::pipeline {
namespace {

struct Flags {
  ModelFlags model;
  size_t top = 40;
  bool spam = false;
  bool ham = false;
  FieldFlags fields;
  std::string pattern;
  bool each = false;
  bool json = false;
};

struct FieldTotal {
  uint64_t weights = 0;
  double l1_norm = 0;
};
using FieldTotals = std::map<std::string, FieldTotal, std::less<>>;

bool SignWanted(const VocabularyEntry& entry, const Flags& flags) {
  if (flags.spam) return entry.weight > 0;
  return !flags.ham || entry.weight < 0;
}

// All tokens with a weight, heaviest first.
Result<std::vector<VocabularyLine>> Sorted(const Inspection& model) {
  const auto entries = model.Vocabulary();
  if (!entries) return tl::unexpected(entries.error());
  std::vector<uint64_t> ids;
  for (const VocabularyEntry& entry : *entries) ids.push_back(entry.id);
  auto texts = model.Texts(ids);
  if (!texts) return tl::unexpected(texts.error());
  std::vector<VocabularyLine> lines;
  for (size_t i = 0; i < ids.size(); ++i)
    lines.push_back({.entry = (*entries)[i], .text = std::move((*texts)[i])});
  SortHeaviestFirst(&lines);
  return lines;
}

FieldTotals Total(const std::vector<VocabularyLine>& tokens) {
  FieldTotals totals;
  for (const VocabularyLine& token : tokens) {
    FieldTotal& total = totals[std::string(FieldOf(token.text))];
    ++total.weights;
    total.l1_norm += std::abs(token.entry.weight);
  }
  return totals;
}

// The heaviest that the flags ask for.
Result<std::vector<VocabularyLine>> Select(std::vector<VocabularyLine> tokens, const Flags& flags,
                                           Pattern* pattern) {
  std::vector<VocabularyLine> selection;
  for (VocabularyLine& token : tokens) {
    if (flags.top > 0 && selection.size() == flags.top) break;
    if (!SignWanted(token.entry, flags) || !flags.fields.Wants(FieldOf(token.text))) continue;
    const Result<bool> matches = pattern == nullptr ? true : pattern->IsIn(token.text);
    if (!matches) return tl::unexpected(matches.error());
    if (*matches) selection.push_back(std::move(token));
  }
  return selection;
}

void PrintTotals(const FieldTotals& totals, const ModelStatistics& statistics) {
  fmt::print("\n{:>10} {:>7}  {}\n", "weights", "share", "field");
  std::vector<std::pair<std::string, FieldTotal>> sorted(totals.begin(), totals.end());
  std::stable_sort(sorted.begin(), sorted.end(),
                   [](const auto& a, const auto& b) { return a.second.l1_norm > b.second.l1_norm; });
  for (const auto& [field, total] : sorted) {
    fmt::print("{:>10} {:>6.2f}%  {}\n", total.weights, 100 * total.l1_norm / statistics.l1_norm,
               Printable(field));
  }
}

void PrintText(const std::vector<VocabularyLine>& selection, const FieldTotals& totals,
               const ModelStatistics& statistics) {
  fmt::print("{:>10} {:>7} {:>7} {:>7} {:>7}  {:<12} {}\n", "weight", "share", "ham", "spam", "weights",
             "field", "token");
  size_t weights = 0;
  for (const VocabularyLine& token : selection) {
    fmt::print("{:>+10.5f} {:>6.3f}% {:>7} {:>7} {:>7}  {:<12} {}\n", token.entry.weight,
               100 * std::abs(token.sum) / statistics.l1_norm, token.entry.counts.ham,
               token.entry.counts.spam, token.weights, Printable(FieldOf(token.text)), Printable(token.text));
    weights += token.weights;
  }
  PrintTotals(totals, statistics);
  fmt::print(
      "\n{} of {} non-zero weights shown; {} stored rows. Taught {} ham and {} spam with {} features.\n{}\n",
      weights, statistics.nonzeros, statistics.stored_rows, statistics.ham, statistics.spam,
      Approximately(statistics.features_seen), kCountsMeaning);
}

void PrintJson(const std::vector<VocabularyLine>& selection, const FieldTotals& totals,
               const ModelStatistics& statistics) {
  nlohmann::ordered_json tokens = nlohmann::ordered_json::array();
  for (const VocabularyLine& token : selection) {
    tokens.push_back({{"token", token.text},
                      {"field", FieldOf(token.text)},
                      {"weight", token.entry.weight},
                      {"share", std::abs(token.entry.weight) / statistics.l1_norm},
                      {"ham", token.entry.counts.ham},
                      {"spam", token.entry.counts.spam},
                      {"id", fmt::format("{:016x}", token.entry.id)}});
  }
  nlohmann::ordered_json fields = nlohmann::ordered_json::object();
  for (const auto& [field, total] : totals) {
    fields[field] = {{"weights", total.weights}, {"share", total.l1_norm / statistics.l1_norm}};
  }
  const nlohmann::ordered_json json = {{"nonzeros", statistics.nonzeros},
                                       {"stored_rows", statistics.stored_rows},
                                       {"features_seen_estimate", statistics.features_seen},
                                       {"l1_norm", statistics.l1_norm},
                                       {"fields", fields},
                                       {"tokens", tokens}};
  WriteJson(json);
}

Result<int> Vocab(const Flags& flags) {
  auto pattern = Pattern::Compile(flags.pattern);
  if (!pattern) return tl::unexpected(pattern.error());
  const Result<Settings> settings = flags.model.Resolve();
  if (!settings) return tl::unexpected(settings.error());
  const auto model = OpenForReading(ModelDirectory(*settings), *settings);
  if (!model) return tl::unexpected(model.error());
  SayIfExamplesAreLost(ModelDirectory(*settings));
  const auto statistics = model->Statistics();
  if (!statistics) return tl::unexpected(statistics.error());
  auto tokens = Sorted(*model);
  if (!tokens) return tl::unexpected(tokens.error());
  const FieldTotals totals = Total(*tokens);
  std::vector<std::string> known;
  for (const auto& [field, total] : totals) known.push_back(field);
  if (const auto checked = flags.fields.Check(known, "this model"); !checked)
    return tl::unexpected(checked.error());
  if (!flags.each && !flags.json) tokens = JoinOverlappingNgrams(*std::move(tokens));
  const auto selection = Select(*std::move(tokens), flags, flags.pattern.empty() ? nullptr : &*pattern);
  if (!selection) return tl::unexpected(selection.error());
  (flags.json ? PrintJson : PrintText)(*selection, totals, *statistics);
  return 0;
}

}  // namespace

void AddVocab(CommandLine& line) {
  Command command = line.Add("vocab", "Print the learned vocabulary, largest weights first");
  command.Footer(fmt::format(
      "A weight above 0 indicates spam, below 0 ham. share: part of the sum of all absolute weights.\n{}\n"
      "Byte 4-grams that overlap, speak for the same class and have similar counts are joined to one text: "
      "weight and counts are those of the heaviest, share is that of all, weights says how many they are.\n"
      "The totals of each field follow; they count all tokens, shown or not. docs/tokens.md explains the "
      "fields.",
      kCountsMeaning));
  Flags& flags = command.Runs(Vocab);
  flags.model.AddTo(command);
  command.Add("--top", &flags.top, "Number of lines to print; 0 means all")
      .Check(WholeNumber())
      .ShowDefault();
  command.Add("--spam", &flags.spam, "Only those that speak for spam");
  command.Add("--ham", &flags.ham, "Only those that speak for ham").Excludes({"--spam"});
  flags.fields.AddTo(command);
  command.Add("--match", &flags.pattern,
              "Only tokens that this regular expression matches: it is searched for in FIELD:TEXT, where "
              "words are in small letters (but for raw)");
  command.Add("--each", &flags.each, "Print each byte 4-gram on a line of its own");
  command.Add("--json", &flags.json, "Print JSON, with each byte 4-gram as a token of its own");
}

}  // namespace thresher::pipeline
