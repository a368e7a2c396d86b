#include "pipeline/model/trainer.h"

#include "pipeline/model/store_error.h"
#include "pipeline/wall_clock.h"
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

}  // namespace

Trainer::Trainer(ModelState& state, const CheckpointRule& rule)
    : state_(&state), rule_(rule), applier_(state, policy_) {}

Result<Learned> Trainer::Learn(const Features& features, const MessageKey& key, const Teaching& teaching,
                               const LogEntry& entry) {
  if (state_->failed) return tl::unexpected(*state_->failed);
  // What is left of a mistake is in rows without a weight, too (Correction).
  const Result<Score> score = teaching.evidence == Evidence::kCorrection
                                  ? state_->Classify(features, &found_)
                                  : state_->ClassifyByWeights(features, &found_);
  if (!score) return tl::unexpected(score.error());
  if (auto logged = Log(features, key, teaching, entry); !logged) return tl::unexpected(logged.error());

  const auto updated = applier_.ApplyNew(example_, features, found_, score->margin);
  if (!updated) return tl::unexpected(updated.error());
  if (IsCheckpointDue()) {
    if (auto done = Checkpoint(); !done) return tl::unexpected(done.error());
  }
  return Learned{*score, *updated};
}

Result<void> Trainer::Log(const Features& features, const MessageKey& key, const Teaching& teaching,
                          const LogEntry& entry) {
  example_.features = entry.encoded;
  if (entry.encoded.empty()) tokenizer::EncodeFeatures(features, state_->id_space, &example_.features);
  example_.time_us = entry.time_us ? *entry.time_us : UnixMicroseconds();
  example_.label = static_cast<int8_t>(teaching.label);
  example_.evidence = StoredEvidence(teaching.evidence, teaching.turns);
  example_.message_id = key.message_id;
  example_.digest = key.digest;
  const auto seq = state_->log.Append(example_, entry.notes);
  if (!seq) return StoreFailure(seq.error());
  example_.seq = *seq;
  return {};
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

}  // namespace thresher::pipeline
