// Which of the last examples the model contradicted before it learned them: many in a row are wrong labels.
//
// Models agree with right labels soon, even with those of mail unlike all before; a model that rehearses
// goes on contradicting wrong ones. Replies to verdicts do not count, as these are contradicted by nature; a
// correction counts as agreed with. Part of the model's persisted globals, so that the score image has it.
// Used by LogApplier, which changes it, and by what tells of the model. Thread-safety: a plain value.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>

#include "pipeline/model/taught.h"

namespace thresher::pipeline {

struct Contradictions {
  static constexpr uint64_t kMost = 64;
  static constexpr uint64_t kFewest = 20;  // fewer say nothing

  uint64_t flags = 0;     // a bit for each example, the last one the lowest
  uint64_t examples = 0;  // of these bits, those that stand for an example

  // `taught`: what the model knew before the example.
  void Add(const TaughtCounts& taught, Label label, Evidence evidence, double margin) {
    const bool is_mistake = evidence == Evidence::kReply;
    if (is_mistake || !taught.CanTell()) return;
    const bool contradicted = evidence != Evidence::kCorrection && Contradicts(margin, label);
    flags = flags << 1 | (contradicted ? 1 : 0);
    examples = std::min(examples + 1, kMost);
  }

  uint64_t number() const { return static_cast<uint64_t>(std::popcount(flags)); }
  // docs/learning-measured.md, Poisoning, has measured numbers, for right labels and for wrong ones.
  // RecentExamples::AreDoubtful judges after learning, when a model agrees with more; ForceRule asks before.
  bool AreMany() const { return examples >= kFewest && 4 * number() > examples; }

  bool IsSound() const { return examples <= kMost && (examples == kMost || flags >> examples == 0); }
  bool operator==(const Contradictions&) const = default;
};

}  // namespace thresher::pipeline
