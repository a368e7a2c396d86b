// What became of many messages that were to be taught, in words.
//
// Used by `learn` and `feedback`. Thread-safety: a plain value.
#pragma once

#include <fmt/format.h>

#include <array>
#include <cstddef>
#include <string>

#include "pipeline/delivery/teaching.h"

namespace thresher::pipeline {

class TeachTally {
 public:
  void Add(TeachResult result) { ++counts_[static_cast<size_t>(result)]; }
  size_t Of(TeachResult result) const { return counts_[static_cast<size_t>(result)]; }

  // The messages that are an example of the log now.
  size_t Learned() const {
    return Of(TeachResult::kNew) + Of(TeachResult::kCorrected) + Of(TeachResult::kChanged);
  }

  std::string Text() const {
    std::string text;
    for (size_t i = 0; i < counts_.size(); ++i) {
      const TeachResultWords& words = kTeachResults[i];
      if (counts_[i] == 0 && !words.is_told_of_none) continue;
      text += fmt::format("{}{} {}", text.empty() ? "" : ", ", counts_[i], words.several);
    }
    return text;
  }

 private:
  std::array<size_t, kTeachResults.size()> counts_ = {};  // by TeachResult
};

}  // namespace thresher::pipeline
