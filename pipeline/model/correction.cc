#include "pipeline/model/correction.h"

#include <utility>
#include <vector>

#include "pipeline/model/personal_lesson.h"

namespace thresher::pipeline {
namespace {

using tokenizer::Features;

constexpr uint64_t kShared = 16;  // times; where there are more, a mistake is a small part

}  // namespace

float ValueOfMistake(const learners::Learner& learner, const std::byte* row,
                     std::span<const std::byte> globals, float value, double excess) {
  if (!learner.IsLive(row, globals)) return 0;
  const learners::Counts counts = learners::Learner::CountsOf(row);
  const uint64_t learned_from = uint64_t{counts.ham} + counts.spam;
  const bool is_large = learned_from > 0 && learned_from <= kShared;
  return value * static_cast<float>(excess) + (is_large ? value / static_cast<float>(learned_from) : 0);
}

FollowUp::Afterwards Correction::OnLesson(const Lesson& lesson) {
  return lesson.teaching.evidence == Evidence::kCorrection ? TakeBack(lesson) : NoteReply(lesson);
}

FollowUp::Afterwards Correction::NoteReply(const Lesson& lesson) {
  return [this, message = lesson.message](const StepResult& learned, WeightUpdates&) -> Result<void> {
    if (!learned.updated || !learned.as_mistake) return {};
    state_->globals.last_reply() = {
        .message = message, .taught = state_->globals.facts().taught.total(), .excess = learned.excess};
    return {};
  };
}

FollowUp::Afterwards Correction::TakeBack(const Lesson& lesson) {
  const uint64_t taught_before = state_->globals.facts().taught.total() - 1;
  const double excess = state_->globals.last_reply().Left(lesson.message, taught_before);
  state_->globals.last_reply() = LastReply();
  // What still waits was not learned. Rehearsal forgets it after this example.
  if (state_->globals.rehearsal().Waits(lesson.message)) return nullptr;
  Features share = ShareOfMistake(lesson, excess);
  if (share.size() == 0) return nullptr;
  return [share = std::move(share), label = lesson.teaching.label](const StepResult&,
                                                                   WeightUpdates& weights) -> Result<void> {
    const double margin = weights.learner().MarginOfMistake(label);
    const auto learned = weights.LearnAs(share, label, margin, learners::Occasion::kAgain);
    return learned ? Result<void>() : tl::unexpected(learned.error());
  };
}

Features Correction::ShareOfMistake(const Lesson& lesson, double excess) const {
  const Features& features = lesson.features;
  const std::span<const std::byte* const> rows = lesson.found.rows();
  const bool is_personal = excess > 0 && HasOwnPart(features);
  const auto took_long = is_personal ? RareOwnFeatures(features, lesson.found, *state_) : std::vector<bool>();
  Features share;
  for (size_t i = 0; i < features.size(); ++i) {
    if (rows[i] == nullptr) continue;
    const double its = is_personal && !took_long[i] ? 0 : excess;
    const float value =
        ValueOfMistake(state_->learner(), rows[i], state_->globals.learner(), features.values[i], its);
    if (value != 0) share.Add(features.ids[i], value, features.Text(i));
  }
  return share;
}

}  // namespace thresher::pipeline
