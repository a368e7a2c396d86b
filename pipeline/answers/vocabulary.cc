#include "pipeline/answers/vocabulary.h"

#include <fmt/format.h>

#include <cmath>
#include <nlohmann/json.hpp>
#include <utility>

#include "pipeline/terminal/token_text.h"

namespace thresher::pipeline {

Result<std::vector<VocabularyLine>> HeaviestTokens(const Inspection& model) {
  const auto entries = model.vocabulary().All();
  if (!entries) return tl::unexpected(entries.error());
  std::vector<uint64_t> ids;
  for (const VocabularyEntry& entry : *entries) ids.push_back(entry.id);
  auto texts = model.vocabulary().Texts(ids);
  if (!texts) return tl::unexpected(texts.error());
  std::vector<VocabularyLine> lines;
  for (size_t i = 0; i < ids.size(); ++i)
    lines.push_back({.entry = (*entries)[i], .text = std::move((*texts)[i])});
  SortHeaviestFirst(&lines);
  return lines;
}

WeightsByField FieldsOf(const std::vector<VocabularyLine>& tokens) {
  WeightsByField fields;
  for (const VocabularyLine& token : tokens) {
    FieldWeights& field = fields[std::string(FieldOf(token.text))];
    ++field.weights;
    field.l1_norm += std::abs(token.entry.weight);
  }
  return fields;
}

Result<std::vector<VocabularyLine>> Select(std::vector<VocabularyLine> tokens,
                                           const VocabularyChoice& choice) {
  std::vector<VocabularyLine> selection;
  for (VocabularyLine& token : tokens) {
    const bool is_of_class = token.entry.weight > 0 ? choice.spam : choice.ham;
    if (!is_of_class || !choice.wants_field(FieldOf(token.text))) continue;
    const Result<bool> matches = choice.matches(token.text);
    if (!matches) return tl::unexpected(matches.error());
    if (*matches) selection.push_back(std::move(token));
  }
  return selection;
}

nlohmann::ordered_json VocabularyJson(const std::vector<VocabularyLine>& selection, size_t matching,
                                      const WeightsByField& fields, const ModelStatistics& statistics) {
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
  nlohmann::ordered_json by_field = nlohmann::ordered_json::object();
  for (const auto& [field, total] : fields) {
    by_field[field] = {{"weights", total.weights}, {"share", total.l1_norm / statistics.l1_norm}};
  }
  return {{"nonzeros", statistics.nonzeros},
          {"stored_rows", statistics.stored_rows},
          {"features_seen_estimate", statistics.features_seen},
          {"l1_norm", statistics.l1_norm},
          {"fields", std::move(by_field)},
          {"matching", matching},
          {"tokens", std::move(tokens)}};
}

}  // namespace thresher::pipeline
