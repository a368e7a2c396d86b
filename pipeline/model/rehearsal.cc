#include "pipeline/model/rehearsal.h"

#include <limits>
#include <random>
#include <utility>

#include "pipeline/model/store_error.h"

namespace thresher::pipeline {
namespace {

// Examples of the other class that follow each example of a class that is taught alone, in draws.
constexpr uint64_t kDrawsInLongRun = 2;
constexpr double kTrustAll = std::numeric_limits<double>::infinity();

Label OtherClass(Label label) { return label == Label::kSpam ? Label::kHam : Label::kSpam; }

}  // namespace

Result<void> Rehearsal::OnLogged(const storage::Example& example) {
  message_ = RehearsalMemory::HashOfMessage(example.message_id, example.digest);
  return {};
}

FollowUp::Afterwards Rehearsal::OnLesson(const Lesson& lesson) {
  if (state_->identity.rehearsal.draws == 0) return nullptr;
  return [this, seq = lesson.seq, label = lesson.label, evidence = lesson.evidence, message = message_](
             bool updated, WeightUpdates& weights) -> Result<void> {
    RehearsalMemory& memory = state_->globals.rehearsal();
    if (evidence == Evidence::kCorrection) memory.Forget(message);
    const bool is_alone = !state_->globals.facts().taught.CouldBeChance();
    if (!updated && !is_alone) return {};
    memory.Add(label, {seq, message}, state_->identity.rehearsal.memory / 2);
    return is_alone ? RehearseOtherClass(label, weights) : Rehearse(seq, weights);
  };
}

Result<void> Rehearsal::Rehearse(uint64_t seq, WeightUpdates& weights) const {
  const learners::RehearsalOptions& options = state_->identity.rehearsal;
  const RehearsalMemory& memory = state_->globals.rehearsal();
  std::mt19937_64 draw(seq);
  for (uint64_t i = 0; i < options.draws; ++i) {
    auto label = draw() % 2 == 0 ? Label::kHam : Label::kSpam;
    if (memory.size(label) == 0) label = OtherClass(label);
    if (memory.size(label) == 0) return {};
    const RehearsalMemory::Entry& earlier = memory.At(label, draw() % memory.size(label));
    if (auto done = LearnAgain(earlier, label, options.mistrust, weights); !done) return done;
  }
  return {};
}

// Its examples are not mistrusted: that the model contradicts them is what the run has done.
Result<void> Rehearsal::RehearseOtherClass(Label label, WeightUpdates& weights) const {
  const Label other = OtherClass(label);
  RehearsalMemory& memory = state_->globals.rehearsal();
  if (memory.size(other) == 0) return {};
  for (uint64_t i = 0; i < kDrawsInLongRun * state_->identity.rehearsal.draws; ++i) {
    if (auto done = LearnAgain(memory.Next(other), other, kTrustAll, weights); !done) return done;
  }
  return {};
}

Result<void> Rehearsal::LearnAgain(const RehearsalMemory::Entry& earlier, Label label, double mistrust,
                                   WeightUpdates& weights) const {
  const auto example = state_->log.Get(earlier.seq);
  if (!example) return StoreFailure(example.error());
  // It may be lost with a damaged end of the log, which was cut; a later example then has its number.
  if (!*example) return {};
  if (RehearsalMemory::HashOfMessage((*example)->message_id, (*example)->digest) != earlier.message)
    return {};
  auto features = state_->Decode(**example);
  if (!features) return tl::unexpected(features.error());
  const auto updated = weights.LearnAgain(*std::move(features), label, mistrust);
  return updated ? Result<void>() : tl::unexpected(updated.error());
}

}  // namespace thresher::pipeline
