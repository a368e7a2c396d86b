#include "pipeline/model/trainer.h"

#include <chrono>
#include <span>
#include <utility>

#include "pipeline/model/correction.h"
#include "pipeline/model/expiry.h"
#include "pipeline/model/rehearsal.h"
#include "pipeline/model/store_error.h"
#include "tokenizer/feature_codec.h"

namespace thresher::pipeline {
namespace {

using tokenizer::Features;
using tokenizer::MessageKey;

// However little memory there may be, a checkpoint is made for so many examples at a time.
constexpr uint64_t kCheckpointAtLeastEvery = 256;

// Rows may become prunable without being touched. Where not all rows are in memory, all are looked at every
// kSweepEvery examples; in a large model less often, so that sweeping takes a fraction of the time of
// learning.
constexpr uint64_t kSweepEvery = 4096;
constexpr uint64_t kRowsPerExample = 256;

int64_t MicrosecondsNow() {
  const auto since_1970 = std::chrono::system_clock::now().time_since_epoch();
  return std::chrono::duration_cast<std::chrono::microseconds>(since_1970).count();
}

}  // namespace

Trainer::Trainer(ModelState& state, LogPolicy& policy, const CheckpointRule& rule)
    : state_(&state), policy_(&policy), rule_(rule), weights_(state, policy) {
  follow_ups_.push_back(std::make_unique<Expiry>(state, policy.MayExpire()));
  follow_ups_.push_back(std::make_unique<Correction>(state));
  follow_ups_.push_back(std::make_unique<Rehearsal>(state));
}

Result<Learned> Trainer::Learn(const Features& features, Label label, const MessageKey& key,
                               Evidence evidence, uint8_t turns, const LogEntry& entry) {
  if (state_->failed) return tl::unexpected(*state_->failed);
  // What is left of a mistake is in rows without a weight, too (Correction).
  const Result<Score> score = evidence == Evidence::kCorrection
                                  ? state_->Classify(features, &found_)
                                  : state_->ClassifyByWeights(features, &found_);
  if (!score) return tl::unexpected(score.error());
  if (auto logged = Log(features, label, key, StoredEvidence(evidence, turns), entry); !logged)
    return tl::unexpected(logged.error());

  const Lesson lesson{example_.seq, features, found_, label, evidence, TurnsIn(example_.evidence)};
  const auto updated = TellLogged(example_).and_then([&] { return Apply(lesson, score->margin); });
  if (!updated) {
    state_->failed = updated.error();
    return tl::unexpected(updated.error());
  }
  state_->applied_seq = example_.seq;
  weights_.Publish();
  if (IsCheckpointDue()) {
    if (auto done = Checkpoint(); !done) return tl::unexpected(done.error());
  }
  return Learned{*score, *updated};
}

Result<void> Trainer::Log(const Features& features, Label label, const MessageKey& key, uint8_t evidence,
                          const LogEntry& entry) {
  example_.features.clear();
  tokenizer::EncodeFeatures(features, state_->id_space, &example_.features);
  example_.time_us = entry.time_us ? *entry.time_us : MicrosecondsNow();
  example_.label = static_cast<int8_t>(label);
  example_.evidence = evidence;
  example_.message_id = key.message_id;
  example_.digest = key.digest;
  const auto seq = state_->log.Append(example_, entry.notes);
  if (!seq) return StoreFailure(seq.error());
  example_.seq = *seq;
  return {};
}

Result<void> Trainer::TellLogged(const storage::Example& example) {
  for (const auto& follow_up : follow_ups_) {
    if (auto done = follow_up->OnLogged(example); !done) return done;
  }
  return {};
}

// Learns the lesson, whose rows are found_, then runs what follows it. Returns whether the lesson itself
// changed weights.
Result<bool> Trainer::Apply(const Lesson& lesson, double margin) {
  ModelGlobals::Facts& facts = state_->globals.facts();
  state_->globals.contradictions().Add(facts.taught, lesson.label, lesson.evidence, margin);
  learners::Occasion occasion = facts.Count(lesson.label, lesson.evidence, margin);
  if (lesson.evidence == Evidence::kArchive && AreMixed(state_->globals.rehearsal(), lesson.label))
    occasion = learners::Occasion::kNew;
  facts.features_seen.Add(lesson.features.ids);

  afterwards_.clear();
  for (const auto& follow_up : follow_ups_) afterwards_.push_back(follow_up->OnLesson(lesson));
  Result<bool> updated = false;
  if (!Waits(state_->identity.rehearsal, facts.taught, lesson.evidence))
    updated = weights_.Learn(lesson.features, found_, lesson.label, margin, occasion);
  if (!updated) return updated;
  for (const FollowUp::Afterwards& follow : afterwards_) {
    if (!follow) continue;
    if (auto done = follow(*updated, weights_); !done) return tl::unexpected(done.error());
  }
  return updated;
}

Result<void> Trainer::ApplyLog(const OnApplied& on_applied) {
  if (state_->failed) return tl::unexpected(*state_->failed);
  const auto apply = [&](const storage::Example& example) {
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

Result<void> Trainer::ApplyLogged(const storage::Example& example) {
  if (auto told = TellLogged(example); !told) return told;
  if (storage::IsForgotten(example) || policy_->LeavesOut(example.seq)) return {};
  auto features = state_->Decode(example);
  if (!features) return tl::unexpected(features.error());
  policy_->Prepare(&*features);
  const auto teaching = policy_->TakeNext(example);
  if (!teaching) return tl::unexpected(teaching.error());
  if (!*teaching) return {};
  const auto score = weights_.Classify(*features, &found_);
  if (!score) return tl::unexpected(score.error());
  const Lesson lesson{example.seq,           *features,         found_, (*teaching)->label,
                      (*teaching)->evidence, (*teaching)->turns};
  const auto applied = Apply(lesson, score->margin);
  return applied ? Result<void>() : tl::unexpected(applied.error());
}

Result<void> Trainer::Acknowledge() {
  if (auto done = state_->log.Acknowledge(); !done) return StoreFailure(done.error());
  return {};
}

bool Trainer::IsCheckpointDue() const {
  const uint64_t learned = state_->applied_seq - state_->checkpoint_seq;
  const bool is_too_large = rule_.memory_bytes > 0 && state_->weights.memory_bytes() > rule_.memory_bytes;
  return learned >= rule_.every || (is_too_large && learned >= kCheckpointAtLeastEvery);
}

Result<void> Trainer::Checkpoint() {
  if (state_->failed) return tl::unexpected(*state_->failed);
  if (auto swept = SweepIfDue(); !swept) return swept;
  state_->log.KeepExpired(state_->globals.rehearsal().Before(state_->log.extent().first_seq));
  const auto done = state_->weights.Checkpoint(
      state_->globals.Stored(), state_->applied_seq,
      [this](const std::byte* row) { return state_->IsLive(row); },
      [this](const std::byte* row) { return state_->learner().Weight(row, state_->globals.learner()) != 0; });
  if (!done) return StoreFailure(done.error());
  state_->NoteCheckpoint();
  return {};
}

Result<void> Trainer::CheckpointIfNeeded() {
  if (state_->failed) return tl::unexpected(*state_->failed);
  return state_->applied_seq == state_->checkpoint_seq ? Result<void>() : Checkpoint();
}

Result<void> Trainer::SweepIfDue() {
  const uint64_t applied = state_->applied_seq;
  if (applied / kSweepEvery == state_->checkpoint_seq / kSweepEvery || applied < no_sweep_before_) return {};
  const auto rows = state_->weights.Sweep([this](const std::byte* row) { return state_->IsLive(row); });
  if (!rows) return StoreFailure(rows.error());
  no_sweep_before_ = applied + *rows / kRowsPerExample;
  return {};
}

Result<void> Trainer::PublishTo(std::shared_ptr<LiveScorer> live) {
  return weights_.PublishTo(std::move(live));
}

}  // namespace thresher::pipeline
