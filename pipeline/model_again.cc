// A model made again from its log: taught from the start (Rebuild), or given weights found elsewhere and
// taught what came after (Install).
#include <optional>
#include <utility>

#include "pipeline/model.h"
#include "pipeline/store_error.h"

namespace thresher::pipeline {

using tokenizer::Features;

Result<void> Model::Rebuild(std::unique_ptr<learners::Learner> learner, Labels labels,
                            const std::function<void(uint64_t)>& on_progress) {
  if (auto done = Checkpoint(); !done) return done;  // what has expired is out of sight
  std::unordered_map<uint64_t, std::string> texts;
  logged_texts_ = &texts;
  CorrectedLabels corrected(*log_);
  corrected_ = labels == Labels::kCorrected ? &corrected : nullptr;
  auto live = std::exchange(live_, nullptr);  // stays as it is until the whole log is applied
  auto done = TeachAgain(std::move(learner), on_progress);
  logged_texts_ = nullptr;
  corrected_ = nullptr;
  if (!done) failed_ = done.error();
  if (done) done = WriteCheckpoint();
  return done && live ? Show(std::move(live)) : done;
}

Result<uint64_t> Model::Install(const Installation& installation) {
  if (auto done = Checkpoint(); !done) return tl::unexpected(done.error());
  std::unordered_map<uint64_t, std::string> texts;
  logged_texts_ = &texts;
  auto live = std::exchange(live_, nullptr);
  auto left_out = ReadTexts().and_then([&] { return PlantAll(installation); });
  auto done = left_out ? CatchUp(installation.through_seq) : tl::unexpected(left_out.error());
  logged_texts_ = nullptr;
  if (!done) failed_ = done.error();
  if (done) done = WriteCheckpoint();
  if (done && live) done = Show(std::move(live));
  if (!done) return tl::unexpected(done.error());
  return left_out;
}

Result<void> Model::ReadTexts() {
  if (auto noted = NoteStoredTexts(); !noted) return noted;
  std::optional<Error> failure;
  const auto read = log_->Read(0, [&](const storage::Example& example) {
    auto features = Decode(example);
    if (features) NoteTexts(&*features);
    if (!features) failure = features.error();
    return !failure;
  });
  if (failure) return tl::unexpected(*failure);
  if (!read) return StoreFailure(read.error());
  return {};
}

// What the model was taught stays what it was.
Result<uint64_t> Model::PlantAll(const Installation& installation) {
  const ModelGlobals::Facts facts = globals_.facts();
  globals_ = ModelGlobals(learner());
  globals_.facts() = facts;
  globals_.facts().calibration = installation.calibration;
  derived_.reset();
  weights_->StartOver(learner().RowBytes(), database_->meta());
  learner().Advance(installation.through_seq, globals_.learner());
  uint64_t left_out = 0;
  for (size_t i = 0; i < installation.ids.size(); ++i) {
    const uint64_t id = installation.ids[i];
    const auto text = logged_texts_->find(id);
    const bool is_known = text != logged_texts_->end();
    left_out += is_known || tokenizer::IdSpace::IsNgram(id) ? 0 : 1;
    if (!is_known && !tokenizer::IdSpace::IsNgram(id)) continue;
    const auto text_of = [&](size_t) {
      return is_known ? std::string_view(text->second) : std::string_view();
    };
    if (auto found = weights_->Find({&id, 1}, &rows_); !found) return StoreFailure(found.error());
    weights_->Touch({&id, 1}, text_of, &mutable_rows_);
    learner().Plant(installation.planted[i], mutable_rows_.front(), globals_.learner());
  }
  return left_out;
}

// Learns once more what the log has behind `after`: facts about it are noted already.
Result<void> Model::CatchUp(uint64_t after) {
  std::optional<Error> failure;
  const auto learn = [&](const storage::Example& example) -> Result<void> {
    auto features = Decode(example);
    if (!features) return tl::unexpected(features.error());
    NoteTexts(&*features);
    const auto score = ScoreToLearn(*features);
    if (!score) return tl::unexpected(score.error());
    const auto updated = Update(*features, LabelOf(example), score->margin);
    return updated ? Result<void>() : tl::unexpected(updated.error());
  };
  const auto read = log_->Read(after, [&](const storage::Example& example) {
    if (auto learned = learn(example); !learned) failure = learned.error();
    return !failure;
  });
  if (failure) return tl::unexpected(*failure);
  if (!read) return StoreFailure(read.error());
  return {};
}

// Nothing expires meanwhile that has not yet.
Result<void> Model::TeachAgain(std::unique_ptr<learners::Learner> learner,
                               const std::function<void(uint64_t)>& on_progress) {
  if (expired_examples() > 0) {
    if (auto noted = NoteStoredTexts(); !noted) return noted;
  }
  const LogLimits keep = globals_.facts().keep;
  identity_.learner = std::move(learner);
  globals_ = ModelGlobals(*identity_.learner);
  derived_.reset();
  applied_seq_ = checkpoint_seq_ = 0;
  log_->SetExtent({.first_seq = log_->extent().first_seq});
  weights_->StartOver(identity_.learner->RowBytes(), WithLearner(database_->meta(), *identity_.learner));
  if (auto taught = Recover(on_progress); !taught) return taught;
  globals_.facts().keep = keep;
  return {};
}

// Features whose text has expired with the example that had it, and that no row kept it for, are dropped.
void Model::NoteTexts(Features* features) {
  for (size_t i = 0; i < features->size(); ++i) {
    if (!features->Text(i).empty()) logged_texts_->try_emplace(features->ids[i], features->Text(i));
  }
  if (expired_examples() == 0) return;
  features->KeepIf([&](size_t i) {
    return tokenizer::IdSpace::IsNgram(features->ids[i]) || logged_texts_->contains(features->ids[i]);
  });
}

Result<void> Model::NoteStoredTexts() {
  if (auto loaded = weights_->LoadAll(); !loaded) return StoreFailure(loaded.error());
  std::vector<uint64_t> ids;
  weights_->ForEach([&](uint64_t id, const std::byte*) { ids.push_back(id); });
  auto texts = weights_->Texts(ids);
  if (!texts) return StoreFailure(texts.error());
  for (size_t i = 0; i < ids.size(); ++i) {
    if (!(*texts)[i].empty()) logged_texts_->emplace(ids[i], std::move((*texts)[i]));
  }
  return {};
}

}  // namespace thresher::pipeline
