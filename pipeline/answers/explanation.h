// Why a message has its score: its tokens by what they contribute.
//
// Used by `explain` and the daemon. Thread-safety: that of the Inspection.
#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "pipeline/error.h"
#include "pipeline/model/inspection.h"
#include "pipeline/model/score.h"
#include "pipeline/verdict.h"
#include "tokenizer/features.h"

namespace thresher::pipeline {

struct ExplainedToken {
  std::string text;
  double value;
  VocabularyEntry entry;
  double contribution() const { return value * entry.weight; }
};

// A number of tokens and the sum of their contributions.
struct ContributionTotal {
  size_t tokens = 0;
  double sum = 0;

  void Add(const ExplainedToken& token) {
    ++tokens;
    sum += token.contribution();
  }
};
using ContributionTotals = std::map<std::string, ContributionTotal>;  // by field

struct Explanation {
  Score score;
  Verdict verdict;
  TaughtCounts taught;
  size_t features = 0;
  size_t weighted_features = 0;
  bool truncated = false;
  std::vector<ExplainedToken> listed;  // greatest contribution first, by magnitude
  ContributionTotals further;          // of the other tokens with a weight
  ContributionTotals fields;           // of all tokens with a weight
  double bias = 0;                     // margin less all contributions
  // "allow:domain", …, if an entry of the lists decided the verdict and not the model; whoever has the
  // message sets it.
  std::string decided_by = {};
};

// `top`: the number of tokens to list; 0 for all. wants(field): whether tokens of a field are listed.
Result<Explanation> Explain(const Inspection& model, const tokenizer::Features& features,
                            const Thresholds& thresholds, size_t top,
                            const std::function<bool(std::string_view)>& wants);

// Without the name of the message.
nlohmann::ordered_json ExplanationJson(const Explanation& explanation);

}  // namespace thresher::pipeline
