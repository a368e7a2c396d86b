#include "pipeline/model/rehearsal.h"

#include <utility>

#include "pipeline/model/store_error.h"

namespace thresher::pipeline {
namespace {

// For a thousand examples of mail.
constexpr size_t kMostBytes = 9U << 20;

}  // namespace

Rehearsal::Rehearsal(ModelState& state) : state_(&state), features_(state.id_space, kMostBytes) {}

FollowUp::Afterwards Rehearsal::OnLesson(const Lesson& lesson) {
  const learners::RehearsalOptions& options = state_->identity.rehearsal;
  if (options.draws == 0) return nullptr;
  const uint32_t bytes = options.bytes > 0 ? RehearsedBytes(lesson.features) : 0;
  JustTaught example{.entry = {lesson.seq, lesson.message, bytes},
                     .label = lesson.teaching.label,
                     .turns = lesson.teaching.turns,
                     .waits = lesson.plan.waits};
  const bool is_correction = lesson.teaching.evidence == Evidence::kCorrection;
  // Of a message taught under the other label before, which has expired, it corrects what is rehearsed, too.
  const Label other = OtherClass(lesson.teaching.label);
  // LogApplier runs it while it has the lesson.
  return [this, example, is_correction, other, features = &lesson.features](
             const StepResult& learned, WeightUpdates& weights) mutable -> Result<void> {
    RehearsalMemory& memory = state_->globals.rehearsal();
    if (learned.updated || example.waits) features_.Add(example.entry, *features);
    is_correction ? memory.Forget(example.entry.message) : memory.ForgetAs(other, example.entry.message);
    example.updated = learned.updated;
    example.as_mistake = learned.as_mistake;
    return Rehearse(state_->identity.rehearsal, state_->globals.facts().taught, example, memory,
                    [&](const Rehearsed& earlier) { return LearnEarlier(earlier, weights); });
  };
}

Result<bool> Rehearsal::IsLearned(const Rehearsed& earlier) {
  if (auto done = state_->weights.Find(ids_, &found_); !done) return StoreFailure(done.error());
  const double margin = state_->learner().Score({ids_, values_}, found_.rows(), state_->globals.learner());
  return earlier.IsContradictedBy(margin) || !state_->learner().WouldUpdate(margin, earlier.label);
}

Result<void> Rehearsal::LearnEarlier(const Rehearsed& earlier, WeightUpdates& weights) {
  if (features_.Find(earlier.entry, &ids_, &values_)) {
    const auto is_learned = IsLearned(earlier);
    if (!is_learned) return tl::unexpected(is_learned.error());
    if (*is_learned) return {};
  }
  const auto example = state_->log.Get(earlier.entry.seq);
  if (!example) return StoreFailure(example.error());
  // It may be lost with a damaged end of the log, which was cut; a later example then has its number.
  if (!*example) return {};
  if (RehearsalMemory::HashOfMessage((*example)->message_id, (*example)->digest) != earlier.entry.message)
    return {};
  auto features = state_->Decode(**example);
  if (!features) return tl::unexpected(features.error());
  return weights.LearnEarlier(*std::move(features), earlier);
}

}  // namespace thresher::pipeline
