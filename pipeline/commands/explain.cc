// thresher explain: why a message scores as it does.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <nlohmann/json.hpp>

#include "pipeline/commands/command.h"
#include "pipeline/model.h"
#include "pipeline/vocabulary.h"

namespace thresher::pipeline {
namespace {

struct Flags {
  ModelFlags model;
  InputFlags input;
  size_t top = 30;
  bool json = false;
};

struct Part {
  std::string text;
  double value;
  VocabularyEntry entry;
  double contribution() const { return value * entry.weight; }
};

struct Explanation {
  Score score;
  Verdict verdict;
  size_t features;
  bool truncated;
  std::vector<Part> parts;               // with a weight, by magnitude of their contribution
  std::map<std::string, double> fields;  // sum of contributions
  double rest = 0;                       // margin less all contributions: the bias
};

Result<Explanation> Explain(Model& model, const tokenizer::Features& features, const Thresholds& thresholds) {
  const auto score = model.Classify(features);
  if (!score) return tl::unexpected(score.error());
  const auto entries = model.Lookup(features.ids);
  if (!entries) return tl::unexpected(entries.error());
  Explanation explanation{
      *score,       thresholds.Decide(score->probability), features.size(), features.truncated, {}, {},
      score->margin};
  for (size_t i = 0; i < features.size(); ++i) {
    const VocabularyEntry& entry = (*entries)[i];
    if (entry.weight == 0) continue;
    const std::string text = features.Text(i).empty() ? model.id_space().NgramText(features.ids[i])
                                                      : std::string(features.Text(i));
    explanation.parts.push_back({text, features.values[i], entry});
    explanation.fields[std::string(FieldOf(text))] += explanation.parts.back().contribution();
    explanation.rest -= explanation.parts.back().contribution();
  }
  std::sort(explanation.parts.begin(), explanation.parts.end(), [](const Part& a, const Part& b) {
    const double greater = std::abs(a.contribution()) - std::abs(b.contribution());
    return greater != 0 ? greater > 0 : a.text < b.text;
  });
  return explanation;
}

void PrintFields(const Explanation& e) {
  std::vector<std::pair<std::string, double>> sorted(e.fields.begin(), e.fields.end());
  std::stable_sort(sorted.begin(), sorted.end(),
                   [](const auto& a, const auto& b) { return std::abs(a.second) > std::abs(b.second); });
  fmt::print("{:>12} field\n", "contribution");
  for (const auto& [field, sum] : sorted) fmt::print("{:>+12.5f} {}\n", sum, Printable(field));
}

void PrintText(const std::string& name, const Explanation& e, size_t top) {
  fmt::print("{}: {}, probability {:.6f}, margin {:+.9g}\n", name, NameOf(e.verdict), e.score.probability,
             e.score.margin);
  fmt::print("{} features, {} of them with a weight{}\n\n", e.features, e.parts.size(),
             e.truncated ? "; the message was cut by a limit" : "");
  const size_t shown = top == 0 ? e.parts.size() : std::min(top, e.parts.size());
  fmt::print("{:>12} {:>10} {:>8} {:>7} {:>7}  {}\n", "contribution", "weight", "value", "ham", "spam",
             "token");
  double others = 0;
  for (size_t i = 0; i < e.parts.size(); ++i) {
    const Part& part = e.parts[i];
    if (i >= shown) {
      others += part.contribution();
      continue;
    }
    fmt::print("{:>+12.5f} {:>+10.5f} {:>8.5f} {:>7} {:>7}  {}\n", part.contribution(), part.entry.weight,
               part.value, part.entry.counts.ham, part.entry.counts.spam, Printable(part.text));
  }
  if (shown < e.parts.size())
    fmt::print("{:>+12.5f} {:>36}  {} further tokens\n", others, "", e.parts.size() - shown);
  // Rounding of the sum aside, what is left is the bias.
  if (std::abs(e.rest) > 1e-9 * (1 + std::abs(e.score.margin)))
    fmt::print("{:>+12.5f} {:>36}  bias\n", e.rest, "");
  fmt::print("{:>+12.5f} {:>36}  margin: {}\n\n", e.score.margin, "", NameOf(e.verdict));
  PrintFields(e);
  fmt::print("\n{}\n", kCountsMeaning);
}

void PrintJson(const std::string& name, const Explanation& e, size_t top) {
  nlohmann::ordered_json tokens = nlohmann::ordered_json::array();
  const size_t shown = top == 0 ? e.parts.size() : std::min(top, e.parts.size());
  for (size_t i = 0; i < shown; ++i) {
    const Part& part = e.parts[i];
    tokens.push_back({{"token", part.text},
                      {"contribution", part.contribution()},
                      {"weight", part.entry.weight},
                      {"value", part.value},
                      {"ham", part.entry.counts.ham},
                      {"spam", part.entry.counts.spam}});
  }
  const nlohmann::ordered_json json = {
      {"message", name},          {"verdict", NameOf(e.verdict)}, {"probability", e.score.probability},
      {"margin", e.score.margin}, {"features", e.features},       {"weighted_features", e.parts.size()},
      {"truncated", e.truncated}, {"fields", e.fields},           {"tokens", tokens}};
  fmt::print("{}\n", json.dump(2, ' ', false, nlohmann::json::error_handler_t::replace));
}

Result<int> ExplainAll(const Flags& flags) {
  const Result<Settings> settings = flags.model.Resolve();
  if (!settings) return tl::unexpected(settings.error());
  auto model = Model::OpenForReading(ModelDirectory(*settings), *settings);
  if (!model) return tl::unexpected(model.error());
  tokenizer::Tokenizer tokenizer = (*model)->MakeTokenizer();
  tokenizer::Features features;
  const auto unreadable = flags.input.ForEach([&](const RawMessage& message) -> Result<void> {
    tokenizer.Tokenize(message.bytes, flags.input.kind(), &features, settings->user);
    const auto explanation = Explain(**model, features, settings->thresholds);
    if (!explanation) return tl::unexpected(explanation.error());
    (flags.json ? PrintJson : PrintText)(message.name, *explanation, flags.top);
    return {};
  });
  if (!unreadable) return tl::unexpected(unreadable.error());
  return *unreadable > 0 ? kNoInput : 0;
}

}  // namespace

void AddExplain(CLI::App& app, int* exit_code) {
  CLI::App* command =
      app.add_subcommand("explain", "Print a message's tokens by their contribution to the margin");
  command->footer(fmt::format(
      "contribution = weight × value; they add up to the margin. > 0 speaks for spam.\n{}", kCountsMeaning));
  auto flags = std::make_shared<Flags>();
  flags->model.AddTo(command);
  flags->model.AddUser(command);
  flags->input.AddTo(command);
  command->add_option("--top", flags->top, "How many tokens; 0 for all")
      ->check(WholeNumber())
      ->capture_default_str();
  command->add_flag("--json", flags->json, "Print JSON");
  command->callback([=] { *exit_code = Run([&] { return ExplainAll(*flags); }); });
}

}  // namespace thresher::pipeline
