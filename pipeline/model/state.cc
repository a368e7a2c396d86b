#include "pipeline/model/state.h"

#include <span>
#include <string>
#include <utility>

#include "pipeline/model/bad_examples.h"
#include "pipeline/model/store_error.h"

namespace thresher::pipeline {

using tokenizer::Features;

ModelState::ModelState(std::unique_ptr<storage::Database> opened, ModelIdentity recorded)
    : database(std::move(opened)),
      identity(std::move(recorded)),
      id_space(identity.seed),
      decoder(identity.MakeDecoder()),
      log(*database),
      weights(*database, learner().RowBytes()),
      globals(learner()) {}

Result<std::shared_ptr<ModelState>> ModelState::Load(std::unique_ptr<storage::Database> opened,
                                                     ModelIdentity recorded) {
  auto state = std::make_shared<ModelState>(std::move(opened), std::move(recorded));
  const auto stored = state->database->ReadGlobals();
  if (!stored) return StoreFailure(stored.error());
  const auto applied = state->database->ReadAppliedSeq();
  if (!applied) return StoreFailure(applied.error());
  state->applied_seq = *applied;
  if (!stored->empty() && !state->globals.Assign(std::as_bytes(std::span(*stored))))
    return tl::unexpected(CorruptStore("the globals cannot be read"));
  if (!state->globals.AreSound(state->learner()))
    return tl::unexpected(CorruptStore("the globals are out of their range"));
  state->NoteCheckpoint();
  return state;
}

void ModelState::NoteCheckpoint() { checkpoint_seq = applied_seq; }

Result<Score> ModelState::Classify(const Features& features, storage::FoundRows* found) {
  if (auto done = weights.Find(features.ids, found); !done) return StoreFailure(done.error());
  return ScoreOf(learner(), AsSparseVector(features), found->rows(), globals);
}

Result<Score> ModelState::ClassifyByWeights(const Features& features, storage::FoundRows* found) {
  if (auto done = weights.FindWeights(features.ids, found); !done) return StoreFailure(done.error());
  return ScoreOf(learner(), AsSparseVector(features), found->rows(), globals);
}

Result<Features> ModelState::Decode(const storage::Example& example) const {
  auto features = decoder.Decode(example.features);
  if (!features) return tl::unexpected(BadExampleError(example.seq, "its features cannot be decoded"));
  return *std::move(features);
}

Result<void> ModelState::KeepWhatHasText(Features* features, storage::FoundRows* found) {
  if (auto done = weights.Find(features->ids, found); !done) return StoreFailure(done.error());
  const std::span<const std::byte* const> rows = found->rows();
  const size_t before = features->size();
  features->KeepIf([&](size_t i) {
    return !features->Text(i).empty() || tokenizer::IdSpace::IsNgram(features->ids[i]) ||
           (rows[i] != nullptr && learner().Weight(rows[i], globals.learner()) != 0);
  });
  if (features->size() == before) return {};
  if (auto done = weights.Find(features->ids, found); !done) return StoreFailure(done.error());
  return {};
}

void ModelState::StartOver(std::shared_ptr<const learners::Learner> learner,
                           const learners::RehearsalOptions& rehearsal, std::string_view labels,
                           const std::optional<OtherFeatures>& features) {
  identity.learner = std::move(learner);
  identity.rehearsal = rehearsal;
  const LogLimits keep = globals.facts().keep;
  globals = ModelGlobals(*identity.learner);
  globals.facts().keep = keep;
  applied_seq = 0;
  NoteCheckpoint();
  log.SetExtent({.first_seq = log.extent().first_seq});
  storage::Meta meta = WithTokenizer(WithLearning(database->meta(), *identity.learner, rehearsal));
  meta.insert_or_assign(std::string(kLabels), labels);
  if (features) {
    identity.features = features->options;
    decoder = identity.MakeDecoder();
    meta = WithFeatures(std::move(meta), features->text);
  }
  weights.StartOver(identity.learner->RowBytes(), meta);
}

}  // namespace thresher::pipeline
