#include "pipeline/model/model.h"

#include <set>
#include <string_view>
#include <utility>

#include "pipeline/model/store_error.h"

namespace thresher::pipeline {

Result<std::unique_ptr<Model>> Model::Open(std::unique_ptr<storage::Database> database,
                                           ModelIdentity identity, const Options& options) {
  auto state = ModelState::Load(std::move(database), std::move(identity));
  if (!state) return tl::unexpected(state.error());
  std::unique_ptr<Model> model(new Model(*std::move(state), options));
  if (auto recovered = model->Recover(options.may_be_bad); !recovered)
    return tl::unexpected(recovered.error());
  if (auto kept = model->KeepFromNow(options.keep); !kept) return tl::unexpected(kept.error());
  return model;
}

Model::Model(std::shared_ptr<ModelState> state, const Options& options)
    : state_(std::move(state)), rule_(options.checkpoint) {
  state_->weights.SetBudget(rule_.memory_bytes);
  MakeTrainer();
}

Result<void> Model::Recover(bool may_be_bad) {
  if (!may_be_bad) return trainer_->Recover();
  const auto bad = BadExamples();
  if (!bad) return tl::unexpected(bad.error());
  return bad->empty() ? trainer_->Recover() : ApplyLogWithout(*bad, *state_);
}

Result<storage::Notes> Model::ReadNotes() const {
  auto notes = state_->log.ReadNotes();
  if (!notes) return StoreFailure(notes.error());
  return *std::move(notes);
}

Result<void> Model::WriteNotes(const storage::Notes& notes) {
  if (state_->failed) return tl::unexpected(*state_->failed);
  if (auto done = state_->log.WriteNotes(notes); !done) return StoreFailure(done.error());
  return {};
}

Result<void> Model::Follow(const std::string& text) {
  if (auto done = state_->database->AddText(kFollows, text); !done) return StoreFailure(done.error());
  return trainer_->Checkpoint();  // with an image that says so
}

void Model::MakeTrainer() { trainer_ = std::make_unique<Trainer>(*state_, rule_); }

Result<void> Model::Finish() {
  if (!live_) MakeTrainer();
  if (auto done = Checkpoint(); !done) return done;
  return Acknowledge();  // all is on disk; but the model may have been removed
}

// Examples already in the log expire by the limits they were taught under, in a recovery too; so new limits
// begin with a checkpoint.
Result<void> Model::KeepFromNow(const LogLimits& limits) {
  if (state_->globals.facts().keep == limits) return {};
  state_->globals.facts().keep = limits;
  return trainer_->Checkpoint();
}

Result<void> Model::Compact() {
  if (auto done = Checkpoint(); !done) return done;
  if (auto done = state_->database->Compact(); !done) return StoreFailure(done.error());
  return {};
}

Result<void> Model::Rebuild(std::unique_ptr<learners::Learner> learner,
                            const learners::RehearsalOptions& rehearsal, LabelsToLearn labels,
                            const OnApplied& on_applied, const std::optional<OtherFeatures>& features) {
  if (auto done = Checkpoint(); !done) return done;  // what has expired is out of sight
  if (auto done = DropForgotten(); !done) return done;
  trainer_.reset();
  return FinishMaking(RebuildWeights(*state_, std::move(learner), rehearsal, labels, on_applied, features));
}

// First the rehearsal memory, then the log, so that rehearsal never draws a forgotten example.
Result<Forgotten> Model::Forget(const std::function<bool(const storage::Example&)>& is_meant) {
  if (auto done = Checkpoint(); !done) return tl::unexpected(done.error());  // as in Rebuild
  const auto plan = PlanToForget(*state_, is_meant);
  if (!plan) return tl::unexpected(plan.error());
  if (plan->forgotten.keys.empty()) return plan->forgotten;
  for (const storage::MessageKeyText& key : plan->forgotten.keys) {
    const uint64_t message = RehearsalMemory::HashOfMessage(key.message_id, key.digest);
    state_->globals.rehearsal().Forget(message);
    if (state_->globals.last_reply().message == message) state_->globals.last_reply() = LastReply();
  }
  state_->log.ForgetExpired();
  if (auto done = trainer_->Checkpoint(); !done) return tl::unexpected(done.error());
  if (auto done = state_->log.Replace(plan->changed, plan->forgotten.keys, plan->extent); !done)
    return StoreFailure(done.error());
  return plan->forgotten;
}

// All examples of a message go together, as one key leads to them. First the unreadable ones, as nothing else
// reads past them; before that the rehearsal memory, as in Forget.
Result<Forgotten> Model::ForgetBad(const std::vector<BadExample>& bad) {
  using Keys = std::set<std::pair<std::string_view, std::string_view>>;
  Forgotten unreadable;
  Keys keys;
  Keys only_unreadable;
  for (const BadExample& example : bad) {
    if (example.message) keys.emplace(example.message->message_id, example.message->digest);
    if (example.is_readable) continue;
    state_->globals.rehearsal().ForgetExample(example.seq);
    ++unreadable.examples;
    if (example.message) {
      only_unreadable.emplace(example.message->message_id, example.message->digest);
    } else {
      ++unreadable.messages;
    }
  }
  if (unreadable.examples > 0) {
    state_->log.ForgetExpired();
    if (auto done = trainer_->Checkpoint(); !done) return tl::unexpected(done.error());
    if (auto done = EmptyUnreadable(*state_, bad); !done) return tl::unexpected(done.error());
  }
  auto forgotten = Forget([&](const storage::Example& example) {
    only_unreadable.erase({example.message_id, example.digest});
    return keys.contains({example.message_id, example.digest});
  });
  if (!forgotten) return forgotten;
  forgotten->examples += unreadable.examples;
  forgotten->messages += unreadable.messages + only_unreadable.size();
  return forgotten;
}

// Numbers the log anew, without what is left of forgotten examples. If a crash follows, the model is as it
// was.
Result<void> Model::DropForgotten() {
  ModelGlobals renumbered = state_->globals;
  const auto dropped = state_->log.DropForgotten([&](const storage::NewNumber& new_number) {
    renumbered.rehearsal().Renumber(new_number);
    return renumbered.Stored();
  });
  if (!dropped) return StoreFailure(dropped.error());
  state_->globals = std::move(renumbered);
  return {};
}

Result<uint64_t> Model::Install(const Installation& installation) {
  if (auto done = Checkpoint(); !done) return tl::unexpected(done.error());
  trainer_.reset();
  auto left_out = TakeWeights(*state_, installation);
  const auto done = FinishMaking(left_out ? Result<void>() : tl::unexpected(left_out.error()));
  if (!done) return tl::unexpected(done.error());
  return left_out;
}

// The old trainer belongs to the old weights, so it is replaced. A live scorer shows the old weights until
// here. After a failure nothing more is learned, as a live scorer would not follow.
Result<void> Model::FinishMaking(Result<void> made) {
  MakeTrainer();
  if (made) made = trainer_->Checkpoint();
  if (made && live_) made = trainer_->PublishTo(live_);
  if (!made) state_->failed = made.error();
  return made;
}

Result<std::shared_ptr<LiveScorer>> Model::MakeLiveScorer() {
  if (live_) return live_;
  auto live = std::make_shared<LiveScorer>(state_->identity);
  if (auto shown = trainer_->PublishTo(live); !shown) return tl::unexpected(shown.error());
  live_ = std::move(live);
  return live_;
}

}  // namespace thresher::pipeline
