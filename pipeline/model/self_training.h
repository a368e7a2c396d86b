// The label that a message is taught by the model's own verdict.
//
// Called by `filter --learn` and `replay --self-train`. Thread-safety: pure functions.
#pragma once

#include <optional>

#include "pipeline/model/evidence.h"
#include "pipeline/verdict.h"

namespace thresher::pipeline {

// Nothing if the verdict is Unsure or less probable than `least`, or `least` is 0: then nothing is taught so.
// Where thresholds let a verdict be as probable as its opposite, or less, it teaches nothing either.
inline std::optional<Label> LabelByVerdict(Verdict verdict, double probability_of_spam, double least) {
  if (least == 0 || verdict == Verdict::kUnsure) return std::nullopt;
  const bool is_spam = verdict == Verdict::kSpam;
  const double probability = is_spam ? probability_of_spam : 1 - probability_of_spam;
  if (probability < least || probability <= 0.5) return std::nullopt;
  return is_spam ? Label::kSpam : Label::kHam;
}

}  // namespace thresher::pipeline
