#include "pipeline/model/personal_reply.h"

#include "tokenizer/user.h"

namespace thresher::pipeline {
namespace {

using learners::Occasion;
using tokenizer::Features;
using tokenizer::IsTokenOfUser;

}  // namespace

bool HasOwnPart(const Features& features) {
  for (size_t i = features.size(); i-- > 0;) {  // they come last
    if (IsTokenOfUser(features.Text(i))) return true;
  }
  return false;
}

Result<bool> LearnPersonalReply(const Lesson& lesson, WeightUpdates& weights) {
  const auto learn = [&](bool own, Occasion occasion) {
    Features part = lesson.features;
    part.KeepIf([&](size_t i) { return IsTokenOfUser(lesson.features.Text(i)) == own; });
    return weights.LearnAs(part, lesson.teaching.label, lesson.margin, occasion);
  };
  auto of_all = learn(false, Occasion::kAgain);
  if (!of_all) return of_all;
  auto own = learn(true, Occasion::kMistake);
  if (!own) return own;
  return *of_all || *own;
}

}  // namespace thresher::pipeline
