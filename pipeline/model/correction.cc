#include "pipeline/model/correction.h"

#include <utility>

namespace thresher::pipeline {
namespace {

using tokenizer::Features;

constexpr uint64_t kShared = 16;  // examples; where there are more, a mistake is a small part

}  // namespace

uint64_t SharersOfMistake(const learners::Learner& learner, const std::byte* row,
                          std::span<const std::byte> globals) {
  if (!learner.IsLive(row, globals)) return 0;
  const learners::Counts counts = learners::Learner::CountsOf(row);
  const uint64_t learned_from = uint64_t{counts.ham} + counts.spam;
  return learned_from <= kShared ? learned_from : 0;
}

Features Correction::ShareOfMistake(const Lesson& lesson) const {
  const Features& features = lesson.features;
  const std::span<const std::byte* const> rows = lesson.found.rows();
  Features share;
  for (size_t i = 0; i < features.size(); ++i) {
    if (rows[i] == nullptr) continue;
    const uint64_t sharers = SharersOfMistake(state_->learner(), rows[i], state_->globals.learner());
    if (sharers == 0) continue;
    share.Add(features.ids[i], features.values[i] / static_cast<float>(sharers), features.Text(i));
  }
  return share;
}

FollowUp::Afterwards Correction::OnLesson(const Lesson& lesson) {
  if (lesson.teaching.evidence != Evidence::kCorrection) return nullptr;
  Features share = ShareOfMistake(lesson);
  if (share.size() == 0) return nullptr;
  return [share = std::move(share), label = lesson.teaching.label](bool,
                                                                   WeightUpdates& weights) -> Result<void> {
    const auto updated = weights.LearnAs(share, label, weights.learner().MarginOfMistake(label));
    return updated ? Result<void>() : tl::unexpected(updated.error());
  };
}

}  // namespace thresher::pipeline
