#include "pipeline/model/personal_reply.h"

#include <utility>

#include "tokenizer/user.h"

namespace thresher::pipeline {

using learners::Occasion;
using tokenizer::Features;

bool HasOwnPart(const Features& features) {
  for (size_t i = features.size(); i-- > 0;) {  // they come last
    if (tokenizer::IsTokenOfUser(features.Text(i))) return true;
  }
  return false;
}

Occasion OccasionForAll(const Plan& plan, const Features& features) {
  const bool is_personal = plan.occasion == Occasion::kMistake && HasOwnPart(features);
  return is_personal ? Occasion::kAgain : plan.occasion;
}

FollowUp::Afterwards PersonalReply::OnLesson(const Lesson& lesson) {
  if (lesson.plan.occasion != Occasion::kMistake) return nullptr;
  Features own;
  for (size_t i = 0; i < lesson.features.size(); ++i) {
    const auto text = lesson.features.Text(i);
    if (tokenizer::IsTokenOfUser(text)) own.Add(lesson.features.ids[i], lesson.features.values[i], text);
  }
  if (own.size() == 0) return nullptr;
  return [own = std::move(own), label = lesson.teaching.label, margin = lesson.margin](
             bool, WeightUpdates& weights) -> Result<void> {
    const auto updated = weights.LearnAs(own, label, margin, Occasion::kMistake);
    return updated ? Result<void>() : tl::unexpected(updated.error());
  };
}

}  // namespace thresher::pipeline
