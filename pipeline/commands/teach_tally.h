// What became of many messages that were to be taught, in words.
//
// Used by `learn` and `feedback`. Thread-safety: a pure function.
#pragma once

#include <fmt/format.h>

#include <array>
#include <cstddef>
#include <string>

#include "pipeline/delivery/teaching.h"

namespace thresher::pipeline {

using TeachTally = std::array<size_t, kTeachResults>;  // by TeachResult

inline std::string TextOf(const TeachTally& tally) {
  const auto count = [&](TeachResult result) { return tally[static_cast<size_t>(result)]; };
  std::string text = fmt::format("{} learned, {} corrected, {} known already", count(TeachResult::kNew),
                                 count(TeachResult::kCorrected), count(TeachResult::kKnown));
  if (count(TeachResult::kChanged) > 0)
    text += fmt::format(", {} known with other headers, learned again", count(TeachResult::kChanged));
  if (count(TeachResult::kWaiting) > 0)
    text += fmt::format(", {} kept until the shared log has them", count(TeachResult::kWaiting));
  return text;
}

}  // namespace thresher::pipeline
