#include "pipeline/delivery/foresight.h"

#include "pipeline/delivery/known_message.h"

namespace thresher::pipeline {

bool CanJudge(const Model& model) {
  const Inspection inspection = model.Inspect();
  return inspection.taught().KnowsBoth() &&
         inspection.Waiting(Label::kHam) + inspection.Waiting(Label::kSpam) == 0 &&
         !inspection.contradictions().AreMany();
}

Result<Foresight> Foresee(Model& model, const tokenizer::Features& features, Label label,
                          const tokenizer::MessageKeys& keys) {
  const auto known = FindKnown(model.Messages(), keys, features);
  if (!known) return tl::unexpected(known.error());
  const auto score = model.Classify(features);
  if (!score) return tl::unexpected(score.error());
  return Foresight{.can_judge = CanJudge(model),
                   .is_known = *known && (*known)->label == label,
                   .corrects = *known && (*known)->label != label,
                   .margin = score->margin};
}

}  // namespace thresher::pipeline
