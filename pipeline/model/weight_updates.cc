#include "pipeline/model/weight_updates.h"

#include <functional>
#include <optional>
#include <span>
#include <string_view>
#include <utility>

#include "pipeline/model/store_error.h"

namespace thresher::pipeline {
namespace {

using tokenizer::Features;

// Every row of a weight table. Of a failure it keeps the reason.
class AllRows final : public learners::RowStore {
 public:
  explicit AllRows(storage::WeightTable& weights) : weights_(&weights) {}

  [[nodiscard]] bool ForEach(const std::function<void(uint64_t, const std::byte*)>& visit) override {
    if (!Load()) return false;
    weights_->ForEach(visit);
    return true;
  }
  [[nodiscard]] bool ForEachMutable(const std::function<void(std::byte*)>& visit) override {
    if (!Load()) return false;
    weights_->ForEachMutable(visit);
    return true;
  }

  void Fail(const storage::Error& error) { failure_ = FromStore(error); }
  const Error& failure() const { return *failure_; }

 private:
  bool Load() {
    const auto loaded = weights_->LoadAll();
    if (!loaded) Fail(loaded.error());
    return loaded.has_value();
  }

  storage::WeightTable* weights_;
  std::optional<Error> failure_;
};

}  // namespace

Result<void> WeightUpdates::Find(const Features& features, storage::FoundRows* found) {
  if (auto done = state_->weights.Find(features.ids, found); !done) return StoreFailure(done.error());
  return {};
}

Result<StepResult> WeightUpdates::Learn(const Features& features, storage::FoundRows& found, Label label,
                                        double margin, learners::Occasion occasion) {
  if (!learner().WouldUpdate(margin, label)) return StepResult{.as_mistake = occasion.IsMistake()};
  AllRows all(state_->weights);
  std::span<std::byte* const> rows;
  const auto touch = [&]() -> std::optional<std::span<std::byte* const>> {
    const auto touched = state_->weights.Touch(found);
    if (!touched) {
      all.Fail(touched.error());
      return std::nullopt;
    }
    rows = *touched;
    return rows;
  };
  const std::span<std::byte> globals = state_->globals.learner();
  const auto step = steps_.Learn(AsSparseVector(features), label, margin, globals, all, touch, occasion);
  if (!step) return tl::unexpected(all.failure());
  const bool updated = step->outcome == learners::Outcome::kUpdated;
  if (updated) {
    if (auto kept = KeepTexts(features, found); !kept) return tl::unexpected(kept.error());
  }
  if (live_ && step->rebased) {
    ReplaceAll();
  } else if (live_) {
    live_->Put(features.ids, {rows.data(), rows.size()}, globals);
  }
  return StepResult{.updated = updated, .excess = step->excess, .as_mistake = occasion.IsMistake()};
}

// A weight can only come from a step on the row, so that no row with a weight lacks its text.
Result<void> WeightUpdates::KeepTexts(const Features& features, storage::FoundRows& found) {
  if (!found.IsCurrent()) {  // the step has rebased, for which all rows were loaded
    if (auto done = state_->weights.Find(features.ids, &found); !done) return StoreFailure(done.error());
  }
  wanted_.resize(features.size());
  learner().FindWeighing(found.rows(), state_->globals.learner(), wanted_);
  for (size_t i = 0; i < features.size(); ++i) {
    if (tokenizer::IdSpace::IsNgram(features.ids[i])) wanted_[i] = 0;  // its text follows from its id
  }
  state_->weights.KeepTexts(found, wanted_, [&](size_t i) {
    const std::string_view text = features.Text(i);
    return text.empty() ? policy_->TextOf(features.ids[i]) : text;
  });
  return {};
}

Result<StepResult> WeightUpdates::LearnAs(const Features& features, Label label, double margin,
                                          learners::Occasion occasion) {
  if (auto done = Find(features, &found_); !done) return tl::unexpected(done.error());
  return Learn(features, found_, label, margin, occasion);
}

Result<void> WeightUpdates::GiveRates(const Features& features, std::span<const RatePair> pairs) {
  if (pairs.empty()) return {};
  if (auto done = Find(features, &found_); !done) return done;
  const auto rows = state_->weights.Touch(found_);
  if (!rows) return StoreFailure(rows.error());
  for (const auto& [feature, source] : pairs) {
    if (!state_->IsLive((*rows)[feature]) && state_->IsLive((*rows)[source]))
      learner().TakeRate((*rows)[feature], (*rows)[source]);
  }
  return {};
}

Result<void> WeightUpdates::LearnEarlier(Features features, const Rehearsed& as) {
  if (auto kept = state_->KeepWhatHasText(&features, &found_); !kept) return tl::unexpected(kept.error());
  const double margin = learner().Score(AsSparseVector(features), found_.rows(), state_->globals.learner());
  if (as.IsContradictedBy(margin)) return {};
  const auto learned = Learn(features, found_, as.label, margin, as.occasion);
  return learned ? Result<void>() : tl::unexpected(learned.error());
}

Result<void> WeightUpdates::PublishTo(std::shared_ptr<LiveScorer> live) {
  if (auto loaded = state_->weights.LoadAll(); !loaded) return StoreFailure(loaded.error());
  live_ = std::move(live);
  ReplaceAll();
  Publish();
  return {};
}

void WeightUpdates::Publish() {
  if (live_) live_->Publish(state_->globals, state_->applied_seq);
}

// Every row is in memory: PublishTo or a rebase has loaded them.
void WeightUpdates::ReplaceAll() {
  live_->Replace(
      steps_.shared_learner(), [this](const auto& visit) { state_->weights.ForEach(visit); },
      state_->globals.learner());
}

}  // namespace thresher::pipeline
