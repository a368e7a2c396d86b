// thresher vocab: the sparse vocabulary a model has learned.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <optional>
#include <regex>

#include "pipeline/commands/command.h"
#include "pipeline/model.h"
#include "pipeline/vocabulary.h"

namespace thresher::pipeline {
namespace {

struct Flags {
  ModelFlags model;
  size_t top = 40;
  bool spam = false;
  bool ham = false;
  std::string field;
  std::string pattern;
  bool json = false;
};

struct Token {
  VocabularyEntry entry;
  std::string text;
};

bool SignWanted(const VocabularyEntry& entry, const Flags& flags) {
  if (flags.spam && !flags.ham) return entry.weight > 0;
  if (flags.ham && !flags.spam) return entry.weight < 0;
  return true;
}

// The heaviest tokens that the flags ask for. Texts are looked up in portions, heaviest first, and
// only as many as it takes.
Result<std::vector<Token>> Select(const Model& model, std::vector<VocabularyEntry> entries,
                                  const Flags& flags, const std::optional<std::regex>& pattern) {
  entries.erase(std::remove_if(entries.begin(), entries.end(),
                               [&](const VocabularyEntry& e) { return !SignWanted(e, flags); }),
                entries.end());
  std::sort(entries.begin(), entries.end(), [](const VocabularyEntry& a, const VocabularyEntry& b) {
    const double heavier = std::abs(a.weight) - std::abs(b.weight);
    return heavier != 0 ? heavier > 0 : a.id < b.id;
  });
  std::vector<Token> selection;
  constexpr size_t kPortion = 1024;
  const size_t wanted = flags.top == 0 ? entries.size() : flags.top;
  for (size_t begin = 0; begin < entries.size() && selection.size() < wanted; begin += kPortion) {
    const size_t end = std::min(entries.size(), begin + kPortion);
    std::vector<uint64_t> ids;
    for (size_t i = begin; i < end; ++i) ids.push_back(entries[i].id);
    const auto texts = model.Texts(ids);
    if (!texts) return tl::unexpected(texts.error());
    for (size_t i = begin; i < end && selection.size() < wanted; ++i) {
      const std::string& text = (*texts)[i - begin];
      if (!flags.field.empty() && FieldOf(text) != flags.field) continue;
      if (pattern && !std::regex_search(text, *pattern)) continue;
      selection.push_back({entries[i], text});
    }
  }
  return selection;
}

void PrintText(const std::vector<Token>& selection, const ModelStatistics& statistics) {
  fmt::print("{:>10} {:>7} {:>7} {:>7}  {:<12} {}\n", "weight", "share", "ham", "spam", "field", "token");
  for (const Token& token : selection) {
    fmt::print("{:>+10.5f} {:>6.3f}% {:>7} {:>7}  {:<12} {}\n", token.entry.weight,
               100 * std::abs(token.entry.weight) / statistics.l1_norm, token.entry.counts.ham,
               token.entry.counts.spam, FieldOf(token.text), Printable(token.text));
  }
  fmt::print(
      "\n{} of {} non-zero weights shown; {} stored rows, ≈{:.0f} features seen in {} ham and {} spam\n",
      selection.size(), statistics.nonzeros, statistics.stored_rows, statistics.features_seen, statistics.ham,
      statistics.spam);
}

void PrintJson(const std::vector<Token>& selection, const ModelStatistics& statistics) {
  nlohmann::ordered_json tokens = nlohmann::ordered_json::array();
  for (const Token& token : selection) {
    tokens.push_back({{"token", token.text},
                      {"field", FieldOf(token.text)},
                      {"weight", token.entry.weight},
                      {"share", std::abs(token.entry.weight) / statistics.l1_norm},
                      {"ham", token.entry.counts.ham},
                      {"spam", token.entry.counts.spam},
                      {"id", fmt::format("{:016x}", token.entry.id)}});
  }
  const nlohmann::ordered_json json = {{"nonzeros", statistics.nonzeros},
                                       {"stored_rows", statistics.stored_rows},
                                       {"features_seen_estimate", statistics.features_seen},
                                       {"l1_norm", statistics.l1_norm},
                                       {"tokens", tokens}};
  fmt::print("{}\n", json.dump(2, ' ', false, nlohmann::json::error_handler_t::replace));
}

Result<int> Vocab(const Flags& flags) {
  std::optional<std::regex> pattern;
  try {
    if (!flags.pattern.empty()) pattern.emplace(flags.pattern);
  } catch (const std::regex_error& error) {
    return tl::unexpected(Error{
        kUsage, fmt::format("--match: '{}' is no regular expression: {}", flags.pattern, error.what())});
  }
  const Result<Settings> settings = flags.model.Resolve();
  if (!settings) return tl::unexpected(settings.error());
  auto model = Model::OpenForReading(ModelDirectory(*settings), *settings);
  if (!model) return tl::unexpected(model.error());
  const auto statistics = (*model)->Statistics();
  if (!statistics) return tl::unexpected(statistics.error());
  auto entries = (*model)->Vocabulary();
  if (!entries) return tl::unexpected(entries.error());
  const auto selection = Select(**model, *std::move(entries), flags, pattern);
  if (!selection) return tl::unexpected(selection.error());
  (flags.json ? PrintJson : PrintText)(*selection, *statistics);
  return 0;
}

}  // namespace

void AddVocab(CLI::App& app, int* exit_code) {
  CLI::App* command = app.add_subcommand("vocab", "Print the learned vocabulary, heaviest weights first");
  command->footer(
      "weight > 0 speaks for spam, < 0 for ham; share is of the sum of all magnitudes; ham and spam count "
      "how often the token was\n"
      "learned from since its weight last left zero. docs/tokens.md says what the fields are.");
  auto flags = std::make_shared<Flags>();
  flags->model.AddTo(command);
  command->add_option("--top", flags->top, "How many; 0 for all")
      ->check(WholeNumber())
      ->capture_default_str();
  command->add_flag("--spam", flags->spam, "Only those that speak for spam");
  command->add_flag("--ham", flags->ham, "Only those that speak for ham");
  command->add_option("--field", flags->field, "Only this field: subject, body, url, raw, …");
  command->add_option("--match", flags->pattern, "Only tokens that this regular expression matches");
  command->add_flag("--json", flags->json, "Print JSON");
  command->callback([=] { *exit_code = Run([&] { return Vocab(*flags); }); });
}

}  // namespace thresher::pipeline
