// Updates of a model's weights: one step of its learner, with the texts of new rows, and told to those who
// score.
//
// Used by personal_lesson.h, which learns an example, and by what follows one. Nobody else changes weights
// but installation.cc, which replaces all of them. Thread-safety: one thread at a time.
#pragma once

#include <cstddef>
#include <memory>
#include <span>

#include "learners/learner.h"
#include "learners/steps/online_steps.h"
#include "pipeline/error.h"
#include "pipeline/model/live_scorer.h"
#include "pipeline/model/log_policy.h"
#include "pipeline/model/rehearsal_rule.h"
#include "pipeline/model/score.h"
#include "pipeline/model/state.h"
#include "storage/found_rows.h"
#include "tokenizer/features.h"

namespace thresher::pipeline {

// What learning an example has changed.
struct StepResult {
  bool updated = false;     // weights changed
  double excess = 0;        // learners::Update
  bool as_mistake = false;  // it was, or would have been, learned as a mistake (learners::Occasion)
};

class WeightUpdates {
 public:
  // Both must outlive it. While it is in use nobody else writes rows or the learner's globals.
  WeightUpdates(ModelState& state, const LogPolicy& policy)
      : state_(&state), policy_(&policy), steps_(state.identity.learner) {}

  const learners::Learner& learner() const { return steps_.learner(); }
  const ModelState& state() const { return *state_; }

  // The score of an example now; `found` is then filled with the rows of its features.
  Result<Score> Classify(const tokenizer::Features& features, storage::FoundRows* found) {
    return state_->Classify(features, found);
  }
  // Fills `found` with the rows of the features, those without a weight, too.
  Result<void> Find(const tokenizer::Features& features, storage::FoundRows* found);
  // Learns an example whose score is `margin` and whose rows are `found`.
  Result<StepResult> Learn(const tokenizer::Features& features, storage::FoundRows& found, Label label,
                           double margin, learners::Occasion occasion);
  // Learn, as if the score were `margin`, whatever it is.
  Result<StepResult> LearnAs(const tokenizer::Features& features, Label label, double margin,
                             learners::Occasion occasion);
  // A feature, and the one whose learning rate it may begin with: places.
  struct RatePair {
    size_t feature;
    size_t source;
  };
  // Each feature whose row is not live begins with the rate of its source, if the row of that is live.
  // Changes no weight.
  Result<void> GiveRates(const tokenizer::Features& features, std::span<const RatePair> pairs);
  // Learns features of the log, those that still can be; nothing if their margin contradicts what they are
  // rehearsed as.
  Result<void> LearnEarlier(tokenizer::Features features, const Rehearsed& as);

  // From now on `live` is told of all changes; of the model as it is at once. Brings the whole model into
  // memory.
  Result<void> PublishTo(std::shared_ptr<LiveScorer> live);
  // Lets scores follow the changes.
  void Publish();

 private:
  void ReplaceAll();
  // Of those features that have a weight now.
  Result<void> KeepTexts(const tokenizer::Features& features, storage::FoundRows& found);

  ModelState* state_;
  const LogPolicy* policy_;
  learners::OnlineSteps steps_;
  std::shared_ptr<LiveScorer> live_;  // null if nobody scores meanwhile
  storage::FoundRows found_;          // kept to save allocations
  std::vector<uint8_t> wanted_;
};

}  // namespace thresher::pipeline
