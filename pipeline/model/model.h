// A model that is open for learning, by its only writer.
//
// Joins the parts: a Trainer that learns, an Inspection and MessageHistory to look at it, a LiveScorer for
// other threads. Opened by pipeline/opening. Thread-safety: one thread at a time; others score by
// MakeLiveScorer's.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "learners/learner.h"
#include "pipeline/error.h"
#include "pipeline/model/bad_examples.h"
#include "pipeline/model/evidence.h"
#include "pipeline/model/forgetting.h"
#include "pipeline/model/identity.h"
#include "pipeline/model/inspection.h"
#include "pipeline/model/installation.h"
#include "pipeline/model/live_scorer.h"
#include "pipeline/model/log_applier.h"
#include "pipeline/model/log_limits.h"
#include "pipeline/model/message_history.h"
#include "pipeline/model/model_digest.h"
#include "pipeline/model/rebuild.h"
#include "pipeline/model/score.h"
#include "pipeline/model/state.h"
#include "pipeline/model/trainer.h"
#include "storage/database.h"
#include "storage/found_rows.h"
#include "tokenizer/features.h"
#include "tokenizer/message_key.h"

namespace thresher::pipeline {

class Model {
 public:
  struct Options {
    CheckpointRule checkpoint;  // its memory_bytes is also what rows may take after a checkpoint
    LogLimits keep;
    bool may_be_bad = false;  // bad examples past the last checkpoint are not applied, instead of an error
  };

  // Of a database that is open for writing. Applies what the log has past the last checkpoint. `options.keep`
  // holds for the examples that come.
  static Result<std::unique_ptr<Model>> Open(std::unique_ptr<storage::Database> database,
                                             ModelIdentity identity, const Options& options);

  const ModelIdentity& identity() const { return state_->identity; }
  const tokenizer::FeatureDecoder& decoder() const { return state_->decoder; }

  Result<Score> Classify(const tokenizer::Features& features) {
    return state_->ClassifyByWeights(features, &found_);
  }
  // See Trainer.
  Result<Learned> Learn(const tokenizer::Features& features, const tokenizer::MessageKey& key,
                        const Teaching& teaching, const LogEntry& entry = {}) {
    return trainer_->Learn(features, key, teaching, entry);
  }
  Result<void> Acknowledge() { return trainer_->Acknowledge(); }
  // Does nothing if nothing was learned since the last one.
  Result<void> Checkpoint() { return trainer_->CheckpointIfNeeded(); }
  // A Checkpoint after which nothing is taught soon. Frees before it what is kept for the next examples.
  Result<void> Finish();
  // What was stored beside the examples by LogEntry::notes and WriteNotes.
  Result<storage::Notes> ReadNotes() const;
  Result<void> WriteNotes(const storage::Notes& notes);
  const storage::Meta& meta() const { return state_->database->meta(); }
  // How much of the log is kept from now on.
  const LogLimits& keep() const { return state_->globals.facts().keep; }
  // model_digest.h
  Result<std::string> Digest() { return DigestOf(*state_); }
  // The model follows a log from now on; `text` is what it records as kFollows.
  Result<void> Follow(const std::string& text);
  // Checkpoints, then compacts the store.
  Result<void> Compact();

  // Makes the model again from its log with this learner and rehearsal. Holds the whole model in memory.
  // Readers, and the next open after a crash, find either the old model or the new one. REQUIRES, for other
  // `features`: the log holds messages, and there is no live scorer.
  Result<void> Rebuild(std::unique_ptr<learners::Learner> learner,
                       const learners::RehearsalOptions& rehearsal, LabelsToLearn labels,
                       const OnApplied& on_applied,
                       const std::optional<OtherFeatures>& features = std::nullopt);
  // The labels of the last rebuild.
  LabelsToLearn labels() const { return LabelsLearned(state_->database->meta()); }
  // Takes examples out of the log (forgetting.h); the weights keep what they learned from them.
  Result<Forgotten> Forget(const std::function<bool(const storage::Example&)>& is_meant);
  // Examples that nothing sound can be made from, and what takes their messages out of the log: a Forget.
  Result<std::vector<BadExample>> BadExamples() const { return FindBadExamples(*state_); }
  Result<Forgotten> ForgetBad(const std::vector<BadExample>& bad);
  // Weights found elsewhere take the place of the model's own (TakeWeights), as Rebuild does it.
  Result<uint64_t> Install(const Installation& installation);

  // What other threads score by while this one teaches: it follows all changes from now on; the same one when
  // called again. Brings the whole model into memory; what it holds itself is not part of memory_bytes.
  Result<std::shared_ptr<LiveScorer>> MakeLiveScorer();

  // About what rows take in memory, with those of MakeLiveScorer.
  size_t memory_bytes() const { return state_->weights.memory_bytes() + (live_ ? live_->memory_bytes() : 0); }

  // Both show the model as it is now and follow it.
  Inspection Inspect() const { return Inspection(state_); }
  MessageHistory Messages() const { return MessageHistory(state_); }

 private:
  Model(std::shared_ptr<ModelState> state, const Options& options);
  void MakeTrainer();
  Result<void> Recover(bool may_be_bad);
  Result<void> KeepFromNow(const LogLimits& limits);
  Result<void> DropForgotten();
  Result<void> FinishMaking(Result<void> made);

  std::shared_ptr<ModelState> state_;
  CheckpointRule rule_;
  std::unique_ptr<Trainer> trainer_;
  std::shared_ptr<LiveScorer> live_;  // null if nobody asked for it
  storage::FoundRows found_;          // kept to save allocations
};

}  // namespace thresher::pipeline
