#include "pipeline/model/log_applier.h"

#include <utility>

#include "pipeline/model/correction.h"
#include "pipeline/model/personal_lesson.h"
#include "pipeline/model/rehearsal.h"
#include "pipeline/model/rehearsal_rule.h"
#include "pipeline/model/store_error.h"

namespace thresher::pipeline {

using storage::Example;
using tokenizer::Features;

LogApplier::LogApplier(ModelState& state, LogPolicy& policy)
    : state_(&state), policy_(&policy), weights_(state, policy), expiry_(state, policy.MayExpire()) {
  follow_ups_.push_back(std::make_unique<Correction>(state));
  follow_ups_.push_back(std::make_unique<Rehearsal>(state));
}

Result<bool> LogApplier::ApplyNew(const Example& example, const Features& features, storage::FoundRows& found,
                                  double margin) {
  auto updated = expiry_.OnLogged(example).and_then(
      [&] { return ApplyAs(example, TeachingOf(example), features, found, margin); });
  if (!updated) {
    state_->failed = updated.error();
    return updated;
  }
  state_->applied_seq = example.seq;
  weights_.Publish();
  return updated;
}

Result<void> LogApplier::ApplyLog(const OnApplied& on_applied) {
  if (state_->failed) return tl::unexpected(*state_->failed);
  const auto apply = [&](const Example& example) {
    if (auto applied = ApplyLogged(example); !applied) {
      state_->failed = applied.error();
      return false;
    }
    state_->applied_seq = example.seq;
    if (on_applied) on_applied(example.seq);
    return true;
  };
  const auto read =
      state_->log.Read(state_->applied_seq, apply, [this](uint64_t seq) { return policy_->LeavesOut(seq); });
  if (state_->failed) return tl::unexpected(*state_->failed);
  if (!read) return StoreFailure(read.error());
  return {};
}

Result<void> LogApplier::ApplyLogged(const Example& example) {
  if (auto expired = expiry_.OnLogged(example); !expired) return expired;
  if (storage::IsForgotten(example) || policy_->LeavesOut(example.seq)) return {};
  auto features = state_->Decode(example);
  if (!features) return tl::unexpected(features.error());
  policy_->Prepare(&*features);
  const auto teaching = policy_->TakeNext(example);
  if (!teaching) return tl::unexpected(teaching.error());
  if (!*teaching) return {};
  const auto score = weights_.Classify(*features, &found_);
  if (!score) return tl::unexpected(score.error());
  const auto updated = ApplyAs(example, **teaching, *features, found_, score->margin);
  return updated ? Result<void>() : tl::unexpected(updated.error());
}

// Counts the example, learns it unless it waits, and does what follows it.
Result<bool> LogApplier::ApplyAs(const Example& example, const Teaching& teaching, const Features& features,
                                 storage::FoundRows& found, double margin) {
  ModelGlobals::Facts& facts = state_->globals.facts();
  state_->globals.contradictions().Add(facts.taught, teaching.label, teaching.evidence, margin);
  facts.Count(teaching.label, teaching.evidence, margin);
  facts.features_seen.Add(features.ids);
  const Plan plan = PlanOf(state_->identity.rehearsal, facts.taught, state_->globals.rehearsal(), teaching);

  const Lesson lesson{.seq = example.seq,
                      .message = RehearsalMemory::HashOfMessage(example.message_id, example.digest),
                      .features = features,
                      .found = found,
                      .margin = margin,
                      .teaching = teaching,
                      .plan = plan};
  afterwards_.clear();
  for (const auto& follow_up : follow_ups_) afterwards_.push_back(follow_up->OnLesson(lesson));
  Result<StepResult> learned;
  if (!plan.waits) learned = LearnExample(features, found, teaching, margin, plan.occasion, weights_);
  if (!learned) return tl::unexpected(learned.error());
  for (const FollowUp::Afterwards& follow : afterwards_) {
    if (!follow) continue;
    if (auto done = follow(*learned, weights_); !done) return tl::unexpected(done.error());
  }
  return learned->updated;
}

Result<void> LogApplier::PublishTo(std::shared_ptr<LiveScorer> live) {
  return weights_.PublishTo(std::move(live));
}

}  // namespace thresher::pipeline
