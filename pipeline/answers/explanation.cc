#include "pipeline/answers/explanation.h"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <utility>

#include "pipeline/answers/needed.h"
#include "pipeline/terminal/token_text.h"

namespace thresher::pipeline {
namespace {

using nlohmann::ordered_json;

// The texts of all features with a weight. Features of the log have none: then the model knows them.
Result<std::vector<std::string>> TextsOf(const Inspection& model, const tokenizer::Features& features,
                                         const std::vector<VocabularyEntry>& entries) {
  const tokenizer::IdSpace id_space = model.identity().MakeIdSpace();
  std::vector<std::string> texts(features.size());
  std::vector<size_t> missing;
  std::vector<uint64_t> missing_ids;
  for (size_t i = 0; i < features.size(); ++i) {
    texts[i] = features.Text(i);
    if (!texts[i].empty() || entries[i].weight == 0) continue;
    if (tokenizer::IdSpace::IsNgram(features.ids[i])) {
      texts[i] = id_space.NgramText(features.ids[i]);
    } else {
      missing.push_back(i);
      missing_ids.push_back(features.ids[i]);
    }
  }
  if (missing.empty()) return texts;
  auto known = model.vocabulary().Texts(missing_ids);
  if (!known) return tl::unexpected(known.error());
  for (size_t i = 0; i < missing.size(); ++i) texts[missing[i]] = std::move((*known)[i]);
  return texts;
}

// The tokens of the message that have a weight, greatest contribution first, by magnitude.
Result<std::vector<ExplainedToken>> WeightedTokens(const Inspection& model,
                                                   const tokenizer::Features& features) {
  const auto entries = model.vocabulary().Lookup(features.ids);
  if (!entries) return tl::unexpected(entries.error());
  const auto texts = TextsOf(model, features, *entries);
  if (!texts) return tl::unexpected(texts.error());
  std::vector<ExplainedToken> tokens;
  for (size_t i = 0; i < features.size(); ++i) {
    const VocabularyEntry& entry = (*entries)[i];
    if (entry.weight == 0) continue;
    tokens.push_back({(*texts)[i], features.values[i], entry});
  }
  std::sort(tokens.begin(), tokens.end(), [](const ExplainedToken& a, const ExplainedToken& b) {
    const double greater = std::abs(a.contribution()) - std::abs(b.contribution());
    return greater != 0 ? greater > 0 : a.text < b.text;
  });
  return tokens;
}

}  // namespace

Result<Explanation> Explain(const Inspection& model, const tokenizer::Features& features,
                            const Thresholds& thresholds, size_t top,
                            const std::function<bool(std::string_view)>& wants) {
  const auto score = model.Classify(features);
  if (!score) return tl::unexpected(score.error());
  auto tokens = WeightedTokens(model, features);
  if (!tokens) return tl::unexpected(tokens.error());
  Explanation explanation{.score = *score,
                          .verdict = VerdictOf(*score, thresholds),
                          .taught = model.taught(),
                          .features = features.size(),
                          .weighted_features = tokens->size(),
                          .truncated = features.truncated,
                          .listed = {},
                          .further = {},
                          .fields = {},
                          .bias = score->margin};
  for (ExplainedToken& token : *tokens) {
    const std::string field(FieldOf(token.text));
    explanation.fields[field].Add(token);
    explanation.bias -= token.contribution();
    const bool has_room = top == 0 || explanation.listed.size() < top;
    if (has_room && wants(field)) {
      explanation.listed.push_back(std::move(token));
    } else {
      explanation.further[field].Add(token);
    }
  }
  return explanation;
}

ordered_json ExplanationJson(const Explanation& e) {
  ordered_json tokens = ordered_json::array();
  for (const ExplainedToken& token : e.listed) {
    tokens.push_back({{"token", token.text},
                      {"contribution", token.contribution()},
                      {"weight", token.entry.weight},
                      {"value", token.value},
                      {"ham", token.entry.counts.ham},
                      {"spam", token.entry.counts.spam}});
  }
  ordered_json further = ordered_json::object();
  for (const auto& [field, total] : e.further)
    further[field] = {{"tokens", total.tokens}, {"contribution", total.sum}};
  ordered_json fields = ordered_json::object();
  for (const auto& [field, total] : e.fields) fields[field] = total.sum;
  ordered_json json = {{"verdict", NameOf(e.verdict)}, {"probability", e.score.probability},
                       {"margin", e.score.margin},     {"needed", NeededJson(e.taught)},
                       {"features", e.features},       {"weighted_features", e.weighted_features},
                       {"truncated", e.truncated},     {"fields", std::move(fields)},
                       {"tokens", std::move(tokens)},  {"further", std::move(further)}};
  if (!e.decided_by.empty()) json["listed"] = e.decided_by;
  return json;
}

}  // namespace thresher::pipeline
