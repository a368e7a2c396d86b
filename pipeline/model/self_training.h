// The label that a message is taught by the model's own verdict.
//
// Called by `filter --learn` and `replay --self-train`. Thread-safety: pure functions.
#pragma once

#include <algorithm>
#include <optional>

#include "pipeline/model/evidence.h"

namespace thresher::pipeline {

// Nothing if the verdict is less probable than `least`, or `least` is 0: then nothing is taught so.
inline std::optional<Label> LabelByVerdict(double probability_of_spam, double least) {
  if (least == 0 || std::max(probability_of_spam, 1 - probability_of_spam) < least) return std::nullopt;
  return probability_of_spam > 0.5 ? Label::kSpam : Label::kHam;
}

}  // namespace thresher::pipeline
