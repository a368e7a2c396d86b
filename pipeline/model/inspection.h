// Looks at a model as a whole: scores, statistics, sizes. Cannot change it.
//
// Of a model that is open for reading it shows the last checkpoint; Model::Inspect shows what its trainer has
// learned so far. Used by all that shows or measures a model. Thread-safety: only in the trainer's thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>

#include "learners/learner.h"
#include "learners/loss/calibration.h"
#include "pipeline/error.h"
#include "pipeline/model/globals.h"
#include "pipeline/model/identity.h"
#include "pipeline/model/score.h"
#include "pipeline/model/state.h"
#include "pipeline/model/taught.h"
#include "pipeline/model/vocabulary.h"
#include "storage/database.h"
#include "storage/example_log.h"
#include "storage/found_rows.h"
#include "tokenizer/features.h"

namespace thresher::pipeline {

// Where a model stands in its log.
struct LogPosition {
  uint64_t last_seq = 0;  // of the log
  uint64_t expired = 0;   // examples that left the log: with the next checkpoint nobody can see them any more
  uint64_t checkpoint_seq = 0;  // of the last checkpoint
};

struct ModelStatistics {
  uint64_t nonzeros = 0;  // weights that are not zero
  double l1_norm = 0;     // sum of their magnitudes
  uint64_t stored_rows = 0;
  uint64_t prunable_rows = 0;  // of them; a later checkpoint removes them
  double features_seen = 0;    // estimate, ±1.6 %
  uint64_t ham = 0;            // examples taught, corrections counted again
  uint64_t spam = 0;
  LogPosition log;
  learners::Calibration calibration;
};

// How far a model agrees with what it was taught last.
struct RecentExamples {
  static constexpr uint64_t kMost = 100;
  static constexpr uint64_t kFewest = 20;  // fewer say nothing

  uint64_t examples = 0;      // of the last ones, those whose label was not corrected later
  uint64_t contradicted = 0;  // of these, those that the model puts into the other class, although taught

  // Either the labels are wrong, or mail has changed: somebody should look at them. Contradictions::AreMany
  // counts what the model said before it learned; ForceRule is asked before anything is learned.
  bool AreDoubtful() const { return examples >= kFewest && 2 * contradicted > examples; }
};

// Bytes on disk of a row and its text, for each of `count` rows; 0 if there are none.
double BytesPer(uint64_t count, const storage::Database::Sizes& sizes);

class Inspection {
 public:
  // Of a database that is open for reading, and its model's identity.
  static Result<Inspection> Open(std::unique_ptr<storage::Database> database, ModelIdentity identity);
  explicit Inspection(std::shared_ptr<ModelState> state) : state_(std::move(state)) {}

  const ModelIdentity& identity() const { return state_->identity; }
  const learners::Learner& learner() const { return state_->learner(); }

  Result<Score> Classify(const tokenizer::Features& features) const;
  // The same; allocates nothing if `found` is used again.
  Result<Score> Classify(const tokenizer::Features& features, storage::FoundRows* found) const {
    return state_->Classify(features, found);
  }
  // Until it can tell, every probability is ½.
  const TaughtCounts& taught() const { return state_->globals.facts().taught; }
  // How margins become probabilities, with the calibration of Statistics().
  ModelGlobals::Facts::Reading reading() const { return state_->globals.reading(); }
  const Contradictions& contradictions() const { return state_->globals.contradictions(); }
  // Its features, one by one.
  Vocabulary vocabulary() const { return Vocabulary(state_); }
  // Examples that are not learned before the other class comes (rehearsal.h).
  size_t Waiting(Label label) const { return state_->globals.rehearsal().waiting(label); }

  // The example with this number; nothing if it has expired or does not exist.
  Result<std::optional<storage::Example>> ExampleOf(uint64_t seq) const;

  // Of the last `most` examples, at most RecentExamples::kMost. None are contradicted as long as the model
  // cannot tell.
  Result<RecentExamples> Recent(uint64_t most = RecentExamples::kMost) const;

  // Exact; brings the whole model into memory.
  Result<ModelStatistics> Statistics() const;
  Result<storage::Database::Sizes> Sizes() const;
  LogPosition log() const { return {state_->log.last_seq(), state_->expired(), state_->checkpoint_seq}; }
  size_t memory_bytes() const { return state_->weights.memory_bytes(); }

 private:
  std::shared_ptr<ModelState> state_;
};

}  // namespace thresher::pipeline
