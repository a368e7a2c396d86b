// thresher explain: the tokens of a message with their share in its score.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <nlohmann/json.hpp>
#include <span>
#include <utility>

#include "pipeline/commands/command.h"
#include "pipeline/commands/field_flags.h"
#include "pipeline/commands/json_output.h"
#include "pipeline/commands/lost_examples.h"
#include "pipeline/commands/needed.h"
#include "pipeline/model/inspection.h"
#include "pipeline/opening/opening.h"
#include "pipeline/terminal/token_text.h"

namespace thresher::pipeline {
namespace {

using nlohmann::ordered_json;

constexpr size_t kFurtherFields = 10;  // listed one by one; the rest have one line

struct Flags {
  ModelFlags model;
  InputFlags input;
  FieldFlags fields;
  size_t top = 30;
  bool json = false;
};

struct Part {
  std::string text;
  double value;
  VocabularyEntry entry;
  double contribution() const { return value * entry.weight; }
};

// A number of tokens and the sum of their contributions.
struct Total {
  size_t tokens = 0;
  double sum = 0;

  void Add(const Part& part) {
    ++tokens;
    sum += part.contribution();
  }
};
using FieldTotals = std::map<std::string, Total>;

struct Explanation {
  Score score;
  Verdict verdict;
  TaughtCounts taught;
  size_t features = 0;
  size_t weighted_features = 0;
  bool truncated = false;
  std::vector<Part> listed;  // greatest contribution first, by magnitude
  FieldTotals further;       // of the other tokens with a weight
  FieldTotals fields;        // of all tokens with a weight
  double bias = 0;           // margin less all contributions
};

// The tokens of the message that have a weight, greatest contribution first, by magnitude.
Result<std::vector<Part>> WeightedParts(const Inspection& model, const tokenizer::Features& features) {
  const auto entries = model.Lookup(features.ids);
  if (!entries) return tl::unexpected(entries.error());
  const tokenizer::IdSpace id_space = model.identity().MakeIdSpace();
  std::vector<Part> parts;
  for (size_t i = 0; i < features.size(); ++i) {
    const VocabularyEntry& entry = (*entries)[i];
    if (entry.weight == 0) continue;
    const std::string text =
        features.Text(i).empty() ? id_space.NgramText(features.ids[i]) : std::string(features.Text(i));
    parts.push_back({text, features.values[i], entry});
  }
  std::sort(parts.begin(), parts.end(), [](const Part& a, const Part& b) {
    const double greater = std::abs(a.contribution()) - std::abs(b.contribution());
    return greater != 0 ? greater > 0 : a.text < b.text;
  });
  return parts;
}

Result<Explanation> Explain(const Inspection& model, const tokenizer::Features& features,
                            const Thresholds& thresholds, const Flags& flags) {
  const auto score = model.Classify(features);
  if (!score) return tl::unexpected(score.error());
  auto parts = WeightedParts(model, features);
  if (!parts) return tl::unexpected(parts.error());
  Explanation explanation{.score = *score,
                          .verdict = thresholds.Decide(score->probability),
                          .taught = model.taught(),
                          .features = features.size(),
                          .weighted_features = parts->size(),
                          .truncated = features.truncated,
                          .listed = {},
                          .further = {},
                          .fields = {},
                          .bias = score->margin};
  for (Part& part : *parts) {
    const std::string field(FieldOf(part.text));
    explanation.fields[field].Add(part);
    explanation.bias -= part.contribution();
    const bool has_room = flags.top == 0 || explanation.listed.size() < flags.top;
    if (has_room && flags.fields.Wants(field)) {
      explanation.listed.push_back(std::move(part));
    } else {
      explanation.further[field].Add(part);
    }
  }
  return explanation;
}

std::vector<std::pair<std::string, Total>> ByMagnitude(const FieldTotals& totals) {
  std::vector<std::pair<std::string, Total>> sorted(totals.begin(), totals.end());
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

void PrintFurther(const FieldTotals& further) {
  const auto sorted = ByMagnitude(further);
  const size_t listed = std::min(sorted.size(), kFurtherFields);
  const std::span<const std::pair<std::string, Total>> all = sorted;
  for (const auto& [field, total] : all.first(listed))
    PrintRow(total.sum, fmt::format("{} in {}", FurtherTokens(total.tokens), Printable(field)));
  if (listed == sorted.size()) return;
  Total rest;
  for (const auto& [field, total] : all.subspan(listed)) {
    rest.tokens += total.tokens;
    rest.sum += total.sum;
  }
  PrintRow(rest.sum, fmt::format("{} in {} other field{}", FurtherTokens(rest.tokens), sorted.size() - listed,
                                 sorted.size() - listed == 1 ? "" : "s"));
}

void PrintText(const std::string& name, const Explanation& e) {
  fmt::print("{}: {}, probability {:.6f}, margin {:+.9g}\n", Printable(name), NameOf(e.verdict),
             e.score.probability, e.score.margin);
  fmt::print("{} features, {} of them with a non-zero weight{}\n", e.features, e.weighted_features,
             e.truncated ? "; the message exceeded a limit and was truncated" : "");
  const std::string needed = NeededText(e.taught);
  fmt::print("{}{}\n", needed, needed.empty() ? "" : "\n");
  fmt::print("{:>12} {:>10} {:>8} {:>7} {:>7}  {}\n", "contribution", "weight", "value", "ham", "spam",
             "token");
  for (const Part& part : e.listed) {
    fmt::print("{:>+12.5f} {:>+10.5f} {:>8.5f} {:>7} {:>7}  {}\n", part.contribution(), part.entry.weight,
               part.value, part.entry.counts.ham, part.entry.counts.spam, Printable(part.text));
  }
  PrintFurther(e.further);
  // A smaller difference is rounding of the sum.
  if (std::abs(e.bias) > 1e-9 * (1 + std::abs(e.score.margin))) PrintRow(e.bias, "bias");
  PrintRow(e.score.margin, fmt::format("margin: {}", NameOf(e.verdict)));
  fmt::print("\n{:>12} field\n", "contribution");
  for (const auto& [field, total] : ByMagnitude(e.fields))
    fmt::print("{:>+12.5f} {}\n", total.sum, Printable(field));
  fmt::print("\n{}\n", kCountsMeaning);
}

void PrintJson(const std::string& name, const Explanation& e) {
  ordered_json tokens = ordered_json::array();
  for (const Part& part : e.listed) {
    tokens.push_back({{"token", part.text},
                      {"contribution", part.contribution()},
                      {"weight", part.entry.weight},
                      {"value", part.value},
                      {"ham", part.entry.counts.ham},
                      {"spam", part.entry.counts.spam}});
  }
  ordered_json further = ordered_json::object();
  for (const auto& [field, total] : e.further)
    further[field] = {{"tokens", total.tokens}, {"contribution", total.sum}};
  ordered_json fields = ordered_json::object();
  for (const auto& [field, total] : e.fields) fields[field] = total.sum;
  const ordered_json json = {{"message", name},
                             {"verdict", NameOf(e.verdict)},
                             {"probability", e.score.probability},
                             {"margin", e.score.margin},
                             {"needed", NeededJson(e.taught)},
                             {"features", e.features},
                             {"weighted_features", e.weighted_features},
                             {"truncated", e.truncated},
                             {"fields", std::move(fields)},
                             {"tokens", std::move(tokens)},
                             {"further", std::move(further)}};
  WriteJson(json);
}

Result<int> ExplainAll(const Flags& flags) {
  const Result<Settings> settings = flags.model.Resolve();
  if (!settings) return tl::unexpected(settings.error());
  const auto model = OpenForReading(ModelDirectory(*settings), *settings);
  if (!model) return tl::unexpected(model.error());
  SayIfExamplesAreLost(ModelDirectory(*settings));
  tokenizer::Tokenizer tokenizer = model->identity().MakeTokenizer();
  tokenizer::Features features;
  const auto read = flags.input.ForEach([&](const RawMessage& message) -> Result<void> {
    tokenizer.Tokenize(message.bytes, flags.input.kind(), &features, settings->user);
    const auto explanation = Explain(*model, features, settings->thresholds, flags);
    if (!explanation) return tl::unexpected(explanation.error());
    (flags.json ? PrintJson : PrintText)(message.name, *explanation);
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
      "contribution = weight × value; > 0 speaks for spam. All contributions add up to the margin: tokens "
      "that are\nnot listed are summed by field.\n{}",
      kCountsMeaning));
  Flags& flags = command.Runs(ExplainAll);
  flags.model.AddTo(command);
  flags.model.AddUser(command);
  flags.input.AddTo(command);
  command.Add("--top", &flags.top, "Number of tokens to list; 0 for all").Check(WholeNumber()).ShowDefault();
  flags.fields.AddTo(command);
  command.Add("--json", &flags.json, "Print JSON");
}

}  // namespace thresher::pipeline
