#include "pipeline/model/rehearsal.h"

#include <random>
#include <utility>

#include "pipeline/model/store_error.h"

namespace thresher::pipeline {
namespace {

// An example in a long run that changed no weight is followed by a rehearsal once in so many.
constexpr uint64_t kRehearseSure = 4;
constexpr int kDraws = 6;  // until an example of the other class is found

}  // namespace

FollowUp::Afterwards Rehearsal::OnLesson(const Lesson& lesson) {
  return [this, seq = lesson.seq](bool updated, WeightUpdates& weights) -> Result<void> {
    const bool is_due = state_->globals.facts().taught.IsLongRun() && (updated || seq % kRehearseSure == 0);
    return is_due ? Rehearse(seq, weights) : Result<void>();
  };
}

Result<void> Rehearsal::Rehearse(uint64_t seq, WeightUpdates& weights) const {
  const bool other_is_spam = state_->globals.facts().taught.run < 0;
  const uint64_t first = state_->log.extent().first_seq;
  std::mt19937_64 draw(seq);
  for (int i = 0; i < kDraws; ++i) {
    const auto example = state_->log.Get(first + draw() % (seq - first + 1));
    if (!example) return StoreFailure(example.error());
    if (!*example) continue;
    const auto label = policy_->LabelAgain(**example);
    if (!label) return tl::unexpected(label.error());
    if ((*label == Label::kSpam) != other_is_spam) continue;
    auto features = state_->Decode(**example);
    if (!features) return tl::unexpected(features.error());
    const auto updated = weights.LearnAgain(*std::move(features), *label);
    return updated ? Result<void>() : tl::unexpected(updated.error());
  }
  return {};
}

}  // namespace thresher::pipeline
