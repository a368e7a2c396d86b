#include "pipeline/model/forgetting.h"

#include <set>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include "pipeline/model/each_example.h"
#include "pipeline/model/store_error.h"
#include "storage/walk.h"
#include "tokenizer/feature_codec.h"

namespace thresher::pipeline {
namespace {

using storage::Example;
using tokenizer::Features;

class Forgetting {
 public:
  explicit Forgetting(const ModelState& state) : state_(&state) { plan_.extent = state.log.extent(); }

  Result<void> Visit(const Example& example, bool is_meant) {
    if (!is_meant && texts_.empty() && lost_.empty()) return {};
    const auto features = state_->Decode(example);
    if (is_meant) {  // whether it can be decoded or not
      TakeAway(example, features.value_or(Features()));
      return {};
    }
    if (!features) return tl::unexpected(features.error());
    HandTextsTo(example, *features);
    return {};
  }

  // An expired example that is kept for rehearsal. The texts it knows are in the rows or in later examples.
  void VisitKept(const Example& example) {
    keys_.emplace(example.message_id, example.digest);
    ++plan_.forgotten.examples;
  }

  ForgettingPlan Finish() {
    plan_.forgotten.messages = keys_.size();
    for (const auto& [message_id, digest] : keys_) plan_.forgotten.keys.push_back({message_id, digest});
    return std::move(plan_);
  }

 private:
  void TakeAway(const Example& example, const Features& features) {
    for (size_t i = 0; i < features.size(); ++i) {
      const std::string_view text = features.Text(i);
      if (text.empty()) continue;
      if (state_->id_space.Token(text) == features.ids[i]) {
        texts_.try_emplace(features.ids[i], text);
      } else {
        lost_.insert(features.ids[i]);
      }
    }
    keys_.emplace(example.message_id, example.digest);
    ++plan_.forgotten.examples;
    Change(example, ForgottenExample(*state_, example.seq, example.time_us));
  }

  // A forgotten example may be the only one with the text of a feature: the next one with the feature gets
  // it. If what it had there was another text, nobody knows the right one; the next ones lose the feature.
  void HandTextsTo(const Example& example, const Features& features) {
    Features with_texts;
    bool has_changed = false;
    for (size_t i = 0; i < features.size(); ++i) {
      const auto found = texts_.find(features.ids[i]);
      const bool takes = found != texts_.end() && features.Text(i).empty();
      if (found == texts_.end() && features.Text(i).empty() && lost_.contains(features.ids[i])) {
        has_changed = true;
        continue;
      }
      lost_.erase(features.ids[i]);
      with_texts.Add(features.ids[i], features.values[i], takes ? found->second : features.Text(i));
      has_changed |= takes;
      if (found != texts_.end()) texts_.erase(found);
    }
    if (!has_changed) return;
    with_texts.truncated = features.truncated;
    Example changed = example;
    changed.features.clear();
    tokenizer::EncodeFeatures(with_texts, state_->id_space, &changed.features);
    Change(example, std::move(changed));
  }

  void Change(const Example& from, Example to) {
    plan_.extent.bytes -= LoggedBytes(from);
    plan_.extent.bytes += LoggedBytes(to);
    plan_.changed.push_back(std::move(to));
  }

  const ModelState* state_;
  ForgettingPlan plan_;
  std::unordered_map<uint64_t, std::string> texts_;  // of forgotten examples, until another has them
  std::unordered_set<uint64_t> lost_;                // had a wrong text, until another has the right one
  std::set<std::pair<std::string, std::string>> keys_;
};

}  // namespace

Example ForgottenExample(const ModelState& state, uint64_t seq, int64_t time_us) {
  Example rest{.seq = seq, .time_us = time_us, .message_id = {}, .digest = {}, .features = {}};
  tokenizer::EncodeFeatures({}, state.id_space, &rest.features);
  return rest;
}

Result<ForgettingPlan> PlanToForget(const ModelState& state,
                                    const std::function<bool(const Example&)>& is_meant) {
  Forgetting forgetting(state);
  const auto read = ForEachExample(state.log, 0, [&](const Example& example) -> Result<bool> {
    if (storage::IsForgotten(example)) return true;
    return forgetting.Visit(example, is_meant(example)).map([] { return true; });
  });
  if (!read) return tl::unexpected(read.error());
  const auto walked = storage::WalkKeptExamples(*state.database, [&](const storage::StoredExample& stored) {
    if (stored.example && is_meant(*stored.example)) forgetting.VisitKept(*stored.example);
    return true;
  });
  if (!walked) return StoreFailure(walked.error());
  return forgetting.Finish();
}

}  // namespace thresher::pipeline
