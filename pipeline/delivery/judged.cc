#include "pipeline/delivery/judged.h"

#include "pipeline/delivery/sender_lists.h"
#include "pipeline/model/scorer.h"
#include "pipeline/settings/settings.h"
#include "tokenizer/features.h"

namespace thresher::pipeline {

Result<Judged> Judge(Scorer& scorer, const tokenizer::Features& features, std::string_view message,
                     const tokenizer::MessageKey& key, const Settings& settings, const SenderLists& lists) {
  const Result<Score> score = scorer.Classify(features);
  if (!score) return tl::unexpected(score.error());
  Judged judged{settings.thresholds.Decide(score->probability),
                *score,
                settings.thresholds,
                scorer.taught(),
                scorer.contradictions(),
                key};
  lists.Apply(message, settings.lists.authserv_id, &judged);
  return judged;
}

}  // namespace thresher::pipeline
