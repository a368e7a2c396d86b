#include "pipeline/model/installation.h"

#include <utility>

#include "learners/loss/calibration.h"
#include "pipeline/model/each_example.h"
#include "pipeline/model/personal_lesson.h"
#include "pipeline/model/rebuild_policy.h"
#include "pipeline/model/store_error.h"
#include "pipeline/model/weight_updates.h"
#include "storage/found_rows.h"
#include "tokenizer/id_space.h"

namespace thresher::pipeline {
namespace {

// Makes the installation's weights those of the model; returns how many were left out. What was taught
// (facts) and the rehearsal memory stay; what belongs to the old weights goes: contradictions, calibration,
// the learner's globals.
Result<uint64_t> ReplaceWeights(const Installation& installation, const RebuildPolicy& texts,
                                ModelState& state) {
  const ModelGlobals before = std::move(state.globals);
  state.globals = ModelGlobals(state.learner());
  state.globals.facts() = before.facts();
  state.globals.rehearsal() = before.rehearsal();
  state.globals.rehearsal().EndWaiting(state.identity.rehearsal.PerClass());
  state.globals.facts().calibration = learners::Calibration();
  state.weights.StartOver(state.learner().RowBytes(), state.database->meta());
  state.learner().InitGlobals(state.globals.learner(), installation.through_seq);
  uint64_t left_out = 0;
  storage::FoundRows found;
  for (size_t i = 0; i < installation.ids.size(); ++i) {
    const uint64_t id = installation.ids[i];
    if (!texts.HasText(id) && !tokenizer::IdSpace::IsNgram(id)) {
      ++left_out;
      continue;
    }
    if (auto done = state.weights.Find({&id, 1}, &found); !done) return StoreFailure(done.error());
    const auto rows = state.weights.Touch(found);
    if (!rows) return StoreFailure(rows.error());
    constexpr uint8_t kWanted = 1;
    state.weights.KeepTexts(found, {&kWanted, 1}, [&](size_t) { return texts.TextOf(id); });
    state.learner().WarmStartRow(installation.weights[i], rows->front(), state.globals.learner());
  }
  return left_out;
}

// Learns once more the examples of the log after number `after`. They are in the counts already.
Result<void> CatchUp(uint64_t after, LogPolicy& policy, ModelState& state) {
  WeightUpdates weights(state, policy);
  storage::FoundRows found;
  return ForEachExample(state.log, after, [&](const storage::Example& example) -> Result<bool> {
    if (storage::IsForgotten(example)) return true;
    auto features = state.Decode(example);
    if (!features) return tl::unexpected(features.error());
    policy.Prepare(&*features);
    const auto score = weights.Classify(*features, &found);
    if (!score) return tl::unexpected(score.error());
    const Teaching teaching = TeachingOf(example);
    const auto planned = state.globals.facts().taught.OccasionOf(teaching.evidence);
    const auto learned = LearnExample(*features, found, teaching, score->margin, planned, weights);
    if (!learned) return tl::unexpected(learned.error());
    return true;
  });
}

}  // namespace

Result<uint64_t> TakeWeights(ModelState& state, const Installation& installation) {
  RebuildPolicy policy(state);
  if (auto noted = policy.NoteStoredTexts(); !noted) return tl::unexpected(noted.error());
  if (auto noted = policy.NoteLoggedTexts(); !noted) return tl::unexpected(noted.error());
  auto left_out = ReplaceWeights(installation, policy, state);
  if (!left_out) return left_out;
  const auto done = CatchUp(installation.through_seq, policy, state);
  if (!done) return tl::unexpected(done.error());
  return left_out;
}

}  // namespace thresher::pipeline
