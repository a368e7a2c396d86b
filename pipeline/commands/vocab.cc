// thresher vocab: the sparse vocabulary a model has learned.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "pipeline/answers/needed.h"
#include "pipeline/answers/vocabulary.h"
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

struct VocabFlags {
  ModelFlags model;
  size_t top = 40;
  bool spam = false;
  bool ham = false;
  FieldFlags fields;
  std::string pattern;
  bool each = false;
  bool json = false;
};

void PrintTotals(const WeightsByField& totals, const ModelStatistics& statistics) {
  if (totals.empty()) return;
  fmt::print("\n{:>10} {:>7}  {}\n", "weights", "share", "field");
  std::vector<std::pair<std::string, FieldWeights>> sorted(totals.begin(), totals.end());
  std::stable_sort(sorted.begin(), sorted.end(),
                   [](const auto& a, const auto& b) { return a.second.l1_norm > b.second.l1_norm; });
  for (const auto& [field, total] : sorted) {
    fmt::print("{:>10} {:>6.2f}%  {}\n", total.weights, 100 * total.l1_norm / statistics.l1_norm,
               Printable(field));
  }
}

size_t WeightsIn(const std::vector<VocabularyLine>& lines) {
  size_t weights = 0;
  for (const VocabularyLine& line : lines) weights += line.weights;
  return weights;
}

void PrintText(const std::vector<VocabularyLine>& selection, size_t matching, const WeightsByField& totals,
               const ModelStatistics& statistics, const std::string& needed) {
  fmt::print("{:>10} {:>7} {:>7} {:>7} {:>7}  {:<12} {}\n", "weight", "share", "ham", "spam", "weights",
             "field", "token");
  for (const VocabularyLine& token : selection) {
    fmt::print("{:>+10.5f} {:>6.3f}% {:>7} {:>7} {:>7}  {:<12} {}\n", token.entry.weight,
               100 * std::abs(token.sum) / statistics.l1_norm, token.entry.counts.ham,
               token.entry.counts.spam, token.weights, Printable(FieldOf(token.text)), Printable(token.text));
  }
  PrintTotals(totals, statistics);
  const std::string shown =
      matching == statistics.nonzeros
          ? fmt::format("{} of {} non-zero weights shown", WeightsIn(selection), matching)
          : fmt::format("{} of {} matching weights shown, of {} non-zero ones in all", WeightsIn(selection),
                        matching, statistics.nonzeros);
  fmt::print("\n{}; {} stored rows. Taught {} ham and {} spam with {} features.\n{}\n", shown,
             statistics.stored_rows, statistics.ham, statistics.spam, Approximately(statistics.features_seen),
             kCountsMeaning);
  if (!needed.empty()) fmt::print("{}\n", needed);
}

Result<int> Vocab(const VocabFlags& flags) {
  auto pattern = Pattern::Compile(flags.pattern);
  if (!pattern) return tl::unexpected(pattern.error());
  const Result<Settings> settings = flags.model.Resolve();
  if (!settings) return tl::unexpected(settings.error());
  const auto model = OpenForReading(ModelDirectory(*settings), *settings);
  if (!model) return tl::unexpected(model.error());
  SayIfExamplesAreLost(ModelDirectory(*settings));
  const auto statistics = model->Statistics();
  if (!statistics) return tl::unexpected(statistics.error());
  auto tokens = HeaviestTokens(*model);
  if (!tokens) return tl::unexpected(tokens.error());
  WeightsByField totals = FieldsOf(*tokens);
  std::vector<std::string> known;
  for (const auto& [field, total] : totals) known.push_back(field);
  if (const auto checked = flags.fields.Check(known); !checked) return tl::unexpected(checked.error());
  std::erase_if(totals, [&](const auto& each) { return !flags.fields.Wants(each.first); });
  if (!flags.each && !flags.json) tokens = JoinOverlappingNgrams(*std::move(tokens));
  auto selection = Select(*std::move(tokens),
                          {.spam = !flags.ham,
                           .ham = !flags.spam,
                           .wants_field = [&](std::string_view field) { return flags.fields.Wants(field); },
                           .matches = [&](std::string_view text) -> Result<bool> {
                             return flags.pattern.empty() ? true : pattern->IsIn(text);
                           }});
  if (!selection) return tl::unexpected(selection.error());
  const size_t matching = WeightsIn(*selection);
  if (flags.top > 0 && selection->size() > flags.top)
    selection->erase(selection->begin() + static_cast<std::ptrdiff_t>(flags.top), selection->end());
  if (flags.json) {
    WriteJson(VocabularyJson(*selection, matching, totals, *statistics));
  } else {
    PrintText(*selection, matching, totals, *statistics, NeededText(model->taught()));
  }
  return 0;
}

}  // namespace

void AddVocab(CommandLine& line) {
  Command command = line.Add("vocab", "Print the learned vocabulary, largest weights first");
  command.Footer(fmt::format(
      "A weight above 0 indicates spam, below 0 ham. share: part of the sum of all absolute weights.\n{}\n"
      "Byte 4-grams that overlap, speak for the same class and have similar counts are joined to one text:\n"
      "weight and counts are those of the heaviest, share is that of all, weights says how many they are.\n"
      "The totals of each field follow, or of those that --field selects; they count all its tokens, shown\n"
      "or not. The last lines say how many weights match --spam, --ham, --field and --match.\n"
      "docs/tokens.md explains the fields.",
      kCountsMeaning));
  VocabFlags& flags = command.Runs(Vocab);
  flags.model.AddTo(command);
  command.Add("--top", &flags.top, "Number of lines to print; 0 means all")
      .Check(WholeNumber())
      .ShowDefault();
  command.Add("--spam", &flags.spam, "Only those that speak for spam");
  command.Add("--ham", &flags.ham, "Only those that speak for ham").Excludes({"--spam"});
  flags.fields.AddTo(command);
  command.Add("--match", &flags.pattern,
              "Only tokens that this regular expression matches: it is searched for in FIELD:TEXT, where "
              "words are in lower case (except in raw)");
  command.Add("--each", &flags.each, "Print each byte 4-gram on a line of its own");
  command.Add("--json", &flags.json, "Print JSON, with each byte 4-gram as a token of its own");
}

}  // namespace thresher::pipeline
