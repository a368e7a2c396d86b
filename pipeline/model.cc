#include "pipeline/model.h"

#include <fmt/format.h>

#include <charconv>
#include <chrono>
#include <cmath>
#include <cstring>
#include <new>
#include <optional>
#include <random>
#include <type_traits>
#include <utility>

#include "learners/registry.h"
#include "pipeline/distinct_counter.h"
#include "pipeline/store_error.h"
#include "tokenizer/feature_codec.h"

namespace thresher::pipeline {
namespace {

using tokenizer::Features;
using tokenizer::MessageKey;

// Names in the store's meta family; see storage/FORMAT.md.
constexpr std::string_view kTokenizer = "tokenizer";
constexpr std::string_view kFeatures = "features";
constexpr std::string_view kSeed = "seed";
constexpr std::string_view kLearner = "learner";
constexpr std::string_view kLearnerOptions = "learner-options";

learners::SparseVector Vector(const Features& features) { return {features.ids, features.values}; }

uint64_t RandomSeed() {
  std::random_device device;
  return (uint64_t{device()} << 32) | device();
}

Error Corrupt(std::string_view what) {
  return {
      kData,
      fmt::format("the store is corrupt: {}; restore it from a backup, or remove it and teach again", what)};
}

Result<std::string> Named(const storage::Meta& meta, std::string_view name) {
  const auto found = meta.find(name);
  if (found == meta.end()) return tl::unexpected(Corrupt(fmt::format("meta has no '{}'", name)));
  return found->second;
}

int64_t MicrosecondsNow() {
  const auto since_1970 = std::chrono::system_clock::now().time_since_epoch();
  return std::chrono::duration_cast<std::chrono::microseconds>(since_1970).count();
}

// What a new model is made with. The learner's options are completed with their defaults here, so that a
// later change of a default leaves existing models alone.
Result<storage::Meta> NewMeta(const Settings& settings) {
  auto learner = learners::MakeLearner(settings.learner, settings.learner_options);
  if (!learner) return tl::unexpected(Error{kConfig, learner.error()});
  return storage::Meta{{std::string(kTokenizer), tokenizer::kTokenizerVersion},
                       {std::string(kFeatures), FeatureSettingsText(settings.features)},
                       {std::string(kSeed), fmt::format("{:016x}", RandomSeed())},
                       {std::string(kLearner), std::string((*learner)->Name())},
                       {std::string(kLearnerOptions), (*learner)->OptionsText()}};
}

// A recorded choice wins over the configuration's default, but not silently over one that was named.
std::optional<Error> Conflict(const storage::Meta& meta, const Settings& settings,
                              const tokenizer::Options& recorded_features,
                              const learners::Learner& recorded) {
  if (settings.IsNamed("learner")) {
    learners::OptionValues options = settings.learner_options;
    auto wanted = learners::MakeLearner(settings.learner, options);
    if (!wanted) return Error{kConfig, wanted.error()};
    if ((*wanted)->Name() != recorded.Name() || (*wanted)->OptionsText() != recorded.OptionsText()) {
      return Error{
          kConfig,
          fmt::format(
              "this model was made with learner {} ({}), not {} ({}): name another --model or --store, "
              "or leave the learner to the model",
              recorded.Name(), recorded.OptionsText(), (*wanted)->Name(), (*wanted)->OptionsText())};
    }
  }
  if (settings.IsNamed("features") &&
      FeatureSettingsText(settings.features) != FeatureSettingsText(recorded_features)) {
    return Error{
        kConfig,
        fmt::format(
            "this model was made with other features ({}): name another --model or --store, or leave the "
            "features to the model",
            meta.find(kFeatures)->second)};
  }
  return std::nullopt;
}

}  // namespace

std::filesystem::path ModelDirectory(const Settings& settings) {
  return std::filesystem::path(settings.store_path) / settings.model;
}

Model::Model(std::unique_ptr<storage::Database> database, tokenizer::Options features, uint64_t seed,
             std::unique_ptr<learners::Learner> learner)
    : database_(std::move(database)),
      features_(std::move(features)),
      seed_(seed),
      id_space_(seed),
      learner_(std::move(learner)),
      log_(std::make_unique<storage::ExampleLog>(*database_)),
      weights_(std::make_unique<storage::WeightTable>(*database_, learner_->RowBytes())) {}

Model::~Model() = default;

Result<std::unique_ptr<Model>> Model::OpenOrCreate(const std::filesystem::path& dir, const Settings& settings,
                                                   const WriteAccess& access) {
  storage::Meta meta;
  if (!storage::Database::Exists(dir)) {
    auto made = NewMeta(settings);
    if (!made) return tl::unexpected(made.error());
    meta = *std::move(made);
  }
  auto database = storage::Database::OpenOrCreate(dir, meta, access.durability, access.wait);
  if (!database) return StoreFailure(database.error());
  auto model = Join(*std::move(database), settings);
  if (!model) return model;
  (*model)->checkpoint_every_ = access.checkpoint_every;
  if (auto recovered = (*model)->Recover(); !recovered) return tl::unexpected(recovered.error());
  return model;
}

Result<std::unique_ptr<Model>> Model::OpenForReading(const std::filesystem::path& dir,
                                                     const Settings& settings) {
  auto database = storage::Database::OpenForReading(dir);
  if (!database) return StoreFailure(database.error());
  return Join(*std::move(database), settings);
}

Result<std::unique_ptr<Model>> Model::Join(std::unique_ptr<storage::Database> database,
                                           const Settings& settings) {
  const storage::Meta& meta = database->meta();
  const auto tokenizer = Named(meta, kTokenizer);
  const auto features_text = Named(meta, kFeatures);
  const auto seed_text = Named(meta, kSeed);
  const auto learner_name = Named(meta, kLearner);
  const auto learner_options = Named(meta, kLearnerOptions);
  for (const auto* field : {&tokenizer, &features_text, &seed_text, &learner_name, &learner_options}) {
    if (!*field) return tl::unexpected(field->error());
  }
  if (*tokenizer != tokenizer::kTokenizerVersion) {
    return tl::unexpected(Error{
        kConfig,
        fmt::format("this model was made with tokenizer {}; this program has {}: use the program it was made "
                    "with, or teach a new model",
                    *tokenizer, tokenizer::kTokenizerVersion)});
  }
  tokenizer::Options features = settings.features;  // for its limits
  if (auto restored = RestoreFeatureSettings(*features_text, &features); !restored) {
    return tl::unexpected(Corrupt(restored.error().message));
  }
  uint64_t seed = 0;
  const auto [end, error] =
      std::from_chars(seed_text->data(), seed_text->data() + seed_text->size(), seed, 16);
  if (error != std::errc() || end != seed_text->data() + seed_text->size())
    return tl::unexpected(Corrupt("the seed is no number"));
  auto learner = learners::RestoreLearner(*learner_name, *learner_options);
  if (!learner)
    return tl::unexpected(Error{kConfig, fmt::format("this model cannot be opened: {}", learner.error())});
  if (auto conflict = Conflict(meta, settings, features, **learner))
    return tl::unexpected(*std::move(conflict));

  std::unique_ptr<Model> model(
      new Model(std::move(database), std::move(features), seed, *std::move(learner)));
  if (auto loaded = model->LoadGlobals(); !loaded) return tl::unexpected(loaded.error());
  return model;
}

Result<void> Model::LoadGlobals() {
  globals_.assign(sizeof(Globals) + learner_->GlobalsBytes(), std::byte{0});
  new (globals_.data()) Globals;
  learner_->InitGlobals(LearnerGlobals());
  const auto stored = database_->ReadGlobals();
  if (!stored) return StoreFailure(stored.error());
  const auto applied = database_->ReadAppliedSeq();
  if (!applied) return StoreFailure(applied.error());
  applied_seq_ = checkpoint_seq_ = *applied;
  if (stored->empty()) return {};
  if (stored->size() != globals_.size()) return tl::unexpected(Corrupt("the globals have a wrong size"));
  std::memcpy(globals_.data(), stored->data(), stored->size());
  return {};
}

// Applies the examples that were acknowledged after the last checkpoint, exactly as they were applied the
// first time.
Result<void> Model::Recover() {
  std::optional<Error> failure;
  const auto read = log_->Read(checkpoint_seq_, [&](const storage::Example& example) {
    const auto features = tokenizer::DecodeFeatures(example.features, id_space_);
    if (!features) {
      failure = Corrupt(fmt::format("example {} cannot be decoded", example.seq));
      return false;
    }
    const Label label = example.label > 0 ? Label::kSpam : Label::kHam;
    const auto score = ScoreRows(Vector(*features));
    const auto applied = score ? Apply(*features, label, score->margin) : tl::unexpected(score.error());
    if (!applied) failure = applied.error();
    applied_seq_ = example.seq;
    return !failure;
  });
  if (failure) return tl::unexpected(*failure);
  if (!read) return StoreFailure(read.error());
  return {};
}

Model::Globals& Model::globals() { return *std::launder(reinterpret_cast<Globals*>(globals_.data())); }

std::span<std::byte> Model::LearnerGlobals() { return std::span(globals_).subspan(sizeof(Globals)); }

bool Model::IsLive(const std::byte* row) { return learner_->IsLive(row, LearnerGlobals()); }

tokenizer::Tokenizer Model::MakeTokenizer() const { return {features_, seed_}; }

// Leaves the rows in rows_.
Result<Score> Model::ScoreRows(const learners::SparseVector& x) {
  if (auto found = weights_->Find(x.ids, &rows_); !found) return StoreFailure(found.error());
  const double margin = learner_->Score(x, rows_, LearnerGlobals());
  return Score{margin, globals().calibration.Probability(margin)};
}

Result<Score> Model::Classify(const Features& features) { return ScoreRows(Vector(features)); }

Result<Learned> Model::Learn(const Features& features, Label label, const MessageKey& key) {
  const Result<Score> score = ScoreRows(Vector(features));
  if (!score) return tl::unexpected(score.error());

  // The log keeps the texts of features that have no row: with them a model can be made again, under any
  // learner.
  with_text_.resize(features.size());
  for (size_t i = 0; i < features.size(); ++i) with_text_[i] = rows_[i] == nullptr ? 1 : 0;
  example_.features.clear();
  tokenizer::EncodeFeatures(features, id_space_, with_text_, &example_.features);
  example_.time_us = MicrosecondsNow();
  example_.label = static_cast<int8_t>(label);
  example_.message_id = key.message_id;
  example_.digest = key.digest;
  const auto seq = log_->Append(example_);
  if (!seq) return StoreFailure(seq.error());

  const auto updated = Apply(features, label, score->margin);
  if (!updated) return tl::unexpected(updated.error());
  applied_seq_ = *seq;
  if (applied_seq_ - checkpoint_seq_ >= checkpoint_every_) {
    if (auto done = Checkpoint(); !done) return tl::unexpected(done.error());
  }
  return Learned{*score, *updated};
}

// REQUIRES: ScoreRows of the same features was the last thing done. Returns whether weights changed.
Result<bool> Model::Apply(const Features& features, Label label, double margin) {
  Globals& all = globals();
  all.calibration.Learn(margin, label);
  all.features_seen.Add(features.ids);
  ++(label == Label::kSpam ? all.spam : all.ham);
  if (!learner_->WouldUpdate(margin, label)) return false;

  weights_->Touch(
      features.ids, [&](size_t i) { return features.Text(i); }, &mutable_rows_);
  const learners::Update update =
      learner_->Learn(Vector(features), label, margin, mutable_rows_, LearnerGlobals());
  if (update.rebase_due) {
    if (auto done = Rebase(); !done) return tl::unexpected(done.error());
  }
  return update.outcome == learners::Outcome::kUpdated;
}

Result<void> Model::Rebase() {
  if (auto loaded = weights_->LoadAll(); !loaded) return StoreFailure(loaded.error());
  weights_->ForEachMutable([&](std::byte* row) { learner_->Rebase(row, LearnerGlobals()); });
  learner_->FinishRebase(LearnerGlobals());
  return {};
}

Result<void> Model::Checkpoint() {
  if (applied_seq_ == checkpoint_seq_) return {};
  const auto done =
      weights_->Checkpoint(globals_, applied_seq_, [&](const std::byte* row) { return IsLive(row); });
  if (!done) return StoreFailure(done.error());
  checkpoint_seq_ = applied_seq_;
  return {};
}

Result<void> Model::Compact() {
  if (auto done = Checkpoint(); !done) return done;
  if (auto done = database_->Compact(); !done) return StoreFailure(done.error());
  return {};
}

Result<std::optional<Label>> Model::TaughtLabel(const MessageKey& key) const {
  const auto example = TaughtExample(key);
  if (!example) return tl::unexpected(example.error());
  if (!*example) return std::nullopt;
  return (*example)->label > 0 ? Label::kSpam : Label::kHam;
}

Result<std::optional<Features>> Model::TaughtFeatures(const MessageKey& key) const {
  const auto example = TaughtExample(key);
  if (!example) return tl::unexpected(example.error());
  if (!*example) return std::nullopt;
  auto features = tokenizer::DecodeFeatures((*example)->features, id_space_);
  if (!features) return tl::unexpected(Corrupt(fmt::format("example {} cannot be decoded", (*example)->seq)));
  return features;
}

Result<std::optional<storage::Example>> Model::TaughtExample(const MessageKey& key) const {
  const auto seq = log_->Find(key.message_id, key.digest);
  if (!seq) return StoreFailure(seq.error());
  if (!*seq) return std::nullopt;
  auto example = log_->Get(**seq);
  if (!example) return StoreFailure(example.error());
  return *std::move(example);
}

Result<std::vector<MessageKey>> Model::KeysOf(std::string_view message_id) const {
  const auto digests = log_->DigestsOf(message_id);
  if (!digests) return StoreFailure(digests.error());
  std::vector<MessageKey> keys;
  for (const std::string& digest : *digests) keys.push_back({std::string(message_id), digest});
  return keys;
}

Result<std::vector<VocabularyEntry>> Model::Vocabulary() {
  if (auto loaded = weights_->LoadAll(); !loaded) return StoreFailure(loaded.error());
  std::vector<VocabularyEntry> entries;
  weights_->ForEach([&](uint64_t id, const std::byte* row) {
    const double weight = learner_->Weight(row, LearnerGlobals());
    if (weight != 0) entries.push_back({id, weight, learners::Learner::CountsOf(row)});
  });
  return entries;
}

Result<std::vector<VocabularyEntry>> Model::Lookup(std::span<const uint64_t> ids) {
  if (auto found = weights_->Find(ids, &rows_); !found) return StoreFailure(found.error());
  std::vector<VocabularyEntry> entries;
  for (size_t i = 0; i < ids.size(); ++i) {
    const std::byte* row = rows_[i];
    const bool live = row != nullptr && IsLive(row);
    entries.push_back(live ? VocabularyEntry{ids[i], learner_->Weight(row, LearnerGlobals()),
                                             learners::Learner::CountsOf(row)}
                           : VocabularyEntry{ids[i], 0, {}});
  }
  return entries;
}

Result<std::vector<std::string>> Model::Texts(std::span<const uint64_t> ids) const {
  auto texts = weights_->Texts(ids);
  if (!texts) return StoreFailure(texts.error());
  for (size_t i = 0; i < ids.size(); ++i) {
    if (tokenizer::IdSpace::IsNgram(ids[i])) (*texts)[i] = id_space_.NgramText(ids[i]);
    if ((*texts)[i].empty())
      return tl::unexpected(Corrupt(fmt::format("feature {:016x} has no text", ids[i])));
  }
  return *std::move(texts);
}

Result<ModelStatistics> Model::Statistics() {
  if (auto loaded = weights_->LoadAll(); !loaded) return StoreFailure(loaded.error());
  const Globals& all = globals();
  ModelStatistics statistics;
  weights_->ForEach([&](uint64_t, const std::byte* row) {
    const double magnitude = std::abs(learner_->Weight(row, LearnerGlobals()));
    statistics.l1_norm += magnitude;
    statistics.nonzeros += magnitude > 0 ? 1 : 0;
    ++statistics.stored_rows;
  });
  statistics.features_seen = all.features_seen.Estimate();
  statistics.ham = all.ham;
  statistics.spam = all.spam;
  statistics.last_seq = log_->last_seq();
  statistics.applied_seq = checkpoint_seq_;
  statistics.calibration = all.calibration;
  return statistics;
}

Result<storage::Database::Sizes> Model::Sizes() const {
  auto sizes = database_->ReadSizes();
  if (!sizes) return StoreFailure(sizes.error());
  return *std::move(sizes);
}

}  // namespace thresher::pipeline
