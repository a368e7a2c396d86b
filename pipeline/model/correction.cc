#include "pipeline/model/correction.h"

#include <span>
#include <utility>

namespace thresher::pipeline {
namespace {

using tokenizer::Features;

constexpr uint64_t kShared = 16;  // examples; where there are more, a mistake is a small part

}  // namespace

// A prunable row counts as none: a checkpoint may have removed it, and its counts begin anew when it is next
// touched.
Features Correction::ShareOfMistake(const Lesson& lesson) const {
  const Features& features = lesson.features;
  const std::span<const std::byte* const> rows = lesson.found.rows();
  Features share;
  for (size_t i = 0; i < features.size(); ++i) {
    if (rows[i] == nullptr || !state_->IsLive(rows[i])) continue;
    const learners::Counts counts = learners::Learner::CountsOf(rows[i]);
    const uint64_t learned_from = uint64_t{counts.ham} + counts.spam;
    if (learned_from == 0 || learned_from > kShared) continue;
    share.Add(features.ids[i], features.values[i] / static_cast<float>(learned_from), features.Text(i));
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
