#include "pipeline/model/rebuild.h"

#include <utility>

#include "pipeline/model/teach_again_policy.h"

namespace thresher::pipeline {
namespace {

std::unique_ptr<TeachAgainPolicy> PolicyOf(Labels labels, ModelState& state) {
  if (labels == Labels::kCorrected) return std::make_unique<TeachCorrectedPolicy>(state);
  return std::make_unique<TeachAgainPolicy>(state);
}

}  // namespace

Result<void> TeachAgain(ModelState& state, std::unique_ptr<learners::Learner> learner,
                        const learners::RehearsalOptions& rehearsal, Labels labels,
                        const OnApplied& on_applied) {
  const std::unique_ptr<TeachAgainPolicy> policy = PolicyOf(labels, state);
  if (state.expired() > 0) {
    if (auto noted = policy->NoteStoredTexts(); !noted) return noted;
  }
  state.StartOver(std::move(learner), rehearsal);
  return Trainer(state, *policy, {}).ApplyLog(on_applied);
}

}  // namespace thresher::pipeline
