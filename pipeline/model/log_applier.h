// Applies the examples of a model's log to its weights, each once, in order.
//
// For each: what expires with it (expiry.h), what it is to the learner (PlanOf in rehearsal_rule.h), the
// learner's step (personal_lesson.h), and what follows it (follow_up.h). All of that depends on the log and
// the model only, so that applying the log again has the same result to the bit. A LogPolicy says what is
// taught for an example.
//
// Used by Trainer for each example that it logs, and by what applies a log again: recovery, rebuild.h,
// bad_examples.h, scoring_by_part.h. Thread-safety: one thread at a time.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include "pipeline/error.h"
#include "pipeline/model/expiry.h"
#include "pipeline/model/follow_up.h"
#include "pipeline/model/live_scorer.h"
#include "pipeline/model/log_policy.h"
#include "pipeline/model/state.h"
#include "pipeline/model/weight_updates.h"
#include "storage/example_log.h"
#include "storage/found_rows.h"
#include "tokenizer/features.h"

namespace thresher::pipeline {

// Called with the number of each example that is done, also of one that was skipped. May be empty.
using OnApplied = std::function<void(uint64_t seq)>;

class LogApplier {
 public:
  // `state` and `policy` must outlive it, and nobody else may change `state` meanwhile.
  LogApplier(ModelState& state, LogPolicy& policy);

  // Applies the example that was logged just now, whose score is `margin`. features: its own; found: their
  // rows. Returns whether the example's own step changed weights.
  Result<bool> ApplyNew(const storage::Example& example, const tokenizer::Features& features,
                        storage::FoundRows& found, double margin);

  // Applies what the log has past the last example that was applied.
  Result<void> ApplyLog(const OnApplied& on_applied);

  // From now on `live` is told of all changes. Brings the whole model into memory.
  Result<void> PublishTo(std::shared_ptr<LiveScorer> live);

 private:
  Result<void> ApplyLogged(const storage::Example& example);
  Result<bool> ApplyAs(const storage::Example& example, const Teaching& teaching,
                       const tokenizer::Features& features, storage::FoundRows& found, double margin);

  ModelState* state_;
  LogPolicy* policy_;
  WeightUpdates weights_;
  Expiry expiry_;
  std::vector<std::unique_ptr<FollowUp>> follow_ups_;  // in the order in which they follow

  // Kept to save allocations.
  storage::FoundRows found_;
  std::vector<FollowUp::Afterwards> afterwards_;
};

}  // namespace thresher::pipeline
