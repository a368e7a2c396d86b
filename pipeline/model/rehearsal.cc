#include "pipeline/model/rehearsal.h"

#include <utility>

#include "pipeline/model/store_error.h"

namespace thresher::pipeline {

Result<void> Rehearsal::OnLogged(const storage::Example& example) {
  message_ = RehearsalMemory::HashOfMessage(example.message_id, example.digest);
  return {};
}

FollowUp::Afterwards Rehearsal::OnLesson(const Lesson& lesson) {
  if (state_->identity.rehearsal.draws == 0) return nullptr;
  const TaughtCounts& taught = state_->globals.facts().taught;
  JustTaught example{.entry = {lesson.seq, message_},
                     .label = lesson.label,
                     .waits = Waits(state_->identity.rehearsal, taught, lesson.evidence),
                     .turns = lesson.turns};
  const bool is_correction = lesson.evidence == Evidence::kCorrection;
  return [this, example, is_correction](bool updated, WeightUpdates& weights) mutable -> Result<void> {
    RehearsalMemory& memory = state_->globals.rehearsal();
    if (is_correction) memory.Forget(example.entry.message);
    example.updated = updated;
    return Rehearse(state_->identity.rehearsal, state_->globals.facts().taught, example, memory,
                    [&](const Rehearsed& earlier) { return LearnAgain(earlier, weights); });
  };
}

Result<void> Rehearsal::LearnAgain(const Rehearsed& earlier, WeightUpdates& weights) const {
  const auto example = state_->log.Get(earlier.entry.seq);
  if (!example) return StoreFailure(example.error());
  // It may be lost with a damaged end of the log, which was cut; a later example then has its number.
  if (!*example) return {};
  if (RehearsalMemory::HashOfMessage((*example)->message_id, (*example)->digest) != earlier.entry.message)
    return {};
  auto features = state_->Decode(**example);
  if (!features) return tl::unexpected(features.error());
  const auto updated = weights.LearnAgain(*std::move(features), earlier);
  return updated ? Result<void>() : tl::unexpected(updated.error());
}

}  // namespace thresher::pipeline
