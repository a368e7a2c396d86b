// Teaches a model: logs an example, applies it to the weights, acknowledges it, checkpoints.
//
// An example is appended to the log, then applied to the resident weights (log_applier.h); a checkpoint makes
// weights, globals and the number of the last applied example durable together. What the log has past the
// last checkpoint is applied again (Recover) when the model is opened, with the same result to the bit. Used
// by Model. Thread-safety: one thread at a time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>
#include <utility>

#include "learners/learner.h"
#include "pipeline/error.h"
#include "pipeline/model/evidence.h"
#include "pipeline/model/live_scorer.h"
#include "pipeline/model/log_applier.h"
#include "pipeline/model/log_policy.h"
#include "pipeline/model/score.h"
#include "pipeline/model/state.h"
#include "storage/example_log.h"
#include "storage/found_rows.h"
#include "tokenizer/features.h"
#include "tokenizer/message_key.h"

namespace thresher::pipeline {

struct Learned {
  Score before;          // the score the model gave before it learned: what Classify would have said
  bool updated = false;  // false: the learner was sure enough to leave its weights alone
};

// How an example comes into the log.
struct LogEntry {
  std::optional<int64_t> time_us = {};  // when it was taught; nothing: now
  storage::Notes notes = {};            // written in one step with it
  std::string_view encoded = {};        // its features, as EncodeFeatures encodes them; empty: not done yet
};

// When a trainer checkpoints without being asked.
struct CheckpointRule {
  uint64_t every = 10000;   // examples
  size_t memory_bytes = 0;  // of rows in memory; 0: no limit
};

class Trainer {
 public:
  // `state` must outlive it, and nobody else may change it meanwhile.
  Trainer(ModelState& state, const CheckpointRule& rule);

  // Teaches one example, whatever was taught under its key before.
  Result<Learned> Learn(const tokenizer::Features& features, const tokenizer::MessageKey& key,
                        const Teaching& teaching, const LogEntry& entry = {});
  // Returns when what was learned may be acknowledged, according to the durability.
  Result<void> Acknowledge();

  // Applies what the log has past the last example that was applied.
  Result<void> Recover() { return applier_.ApplyLog(nullptr); }

  // Makes what was applied durable, and changes of the globals alone.
  Result<void> Checkpoint();
  // The same, if an example was applied since the last one.
  Result<void> CheckpointIfNeeded();

  // From now on `live` is told of all changes. Brings the whole model into memory.
  Result<void> PublishTo(std::shared_ptr<LiveScorer> live) { return applier_.PublishTo(std::move(live)); }

 private:
  // Appends an example to the log; it is then in example_.
  Result<void> Log(const tokenizer::Features& features, const tokenizer::MessageKey& key,
                   const Teaching& teaching, const LogEntry& entry);
  bool IsCheckpointDue() const;
  Result<void> SweepIfDue();

  ModelState* state_;
  CheckpointRule rule_;
  AsLogged policy_;
  LogApplier applier_;
  uint64_t no_sweep_before_ = 0;  // example

  // Kept to save allocations.
  storage::FoundRows found_;
  storage::Example example_;
};

}  // namespace thresher::pipeline
