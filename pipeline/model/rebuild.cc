#include "pipeline/model/rebuild.h"

#include <utility>

#include "pipeline/model/log_applier.h"
#include "pipeline/model/rebuild_policy.h"

namespace thresher::pipeline {
namespace {

std::unique_ptr<RebuildPolicy> PolicyOf(LabelsToLearn labels, ModelState& state) {
  if (labels == LabelsToLearn::kCorrected) return std::make_unique<RebuildCorrected>(state);
  return std::make_unique<RebuildTaught>(state);
}

}  // namespace

LabelsToLearn LabelsLearned(const storage::Meta& meta) {
  const auto recorded = meta.find(kLabels);
  return recorded != meta.end() && recorded->second == kCorrectedLabels ? LabelsToLearn::kCorrected
                                                                        : LabelsToLearn::kAsTaught;
}

Result<void> RebuildWeights(ModelState& state, std::unique_ptr<learners::Learner> learner,
                            const learners::RehearsalOptions& rehearsal, LabelsToLearn labels,
                            const OnApplied& on_applied, const std::optional<OtherFeatures>& features) {
  const std::unique_ptr<RebuildPolicy> policy = PolicyOf(labels, state);
  // An example that had a text may have expired or been forgotten.
  if (auto noted = policy->NoteStoredTexts(); !noted) return noted;
  state.StartOver(std::move(learner), rehearsal,
                  labels == LabelsToLearn::kCorrected ? kCorrectedLabels : kTaughtLabels, features);
  return LogApplier(state, *policy).ApplyLog(on_applied);
}

}  // namespace thresher::pipeline
