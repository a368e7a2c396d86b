// The tokens of a model that have a weight, heaviest first.
//
// Used by `vocab` and the daemon. Thread-safety: that of the Inspection.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "pipeline/error.h"
#include "pipeline/model/inspection.h"
#include "pipeline/model/ngram_chains.h"

namespace thresher::pipeline {

struct FieldWeights {
  uint64_t weights = 0;
  double l1_norm = 0;
};
using WeightsByField = std::map<std::string, FieldWeights, std::less<>>;

// All of them. Brings the whole model into memory.
Result<std::vector<VocabularyLine>> HeaviestTokens(const Inspection& model);
WeightsByField FieldsOf(const std::vector<VocabularyLine>& tokens);

struct VocabularyChoice {
  bool spam = true;  // those that speak for spam
  bool ham = true;
  std::function<bool(std::string_view)> wants_field;
  std::function<Result<bool>(std::string_view)> matches;  // by its text
};
// Those that are wanted, in their order.
Result<std::vector<VocabularyLine>> Select(std::vector<VocabularyLine> tokens,
                                           const VocabularyChoice& choice);

// `selection`: what is shown of the `matching` tokens that are wanted.
nlohmann::ordered_json VocabularyJson(const std::vector<VocabularyLine>& selection, size_t matching,
                                      const WeightsByField& fields, const ModelStatistics& statistics);

}  // namespace thresher::pipeline
