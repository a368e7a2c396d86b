#include "pipeline/model.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <optional>
#include <random>
#include <utility>

#include "pipeline/store_error.h"
#include "tokenizer/feature_codec.h"

namespace thresher::pipeline {
namespace {

using tokenizer::Features;
using tokenizer::MessageKey;

learners::SparseVector Vector(const Features& features) { return {features.ids, features.values}; }

// In a long run of one class, an example that taught nothing calls for a rehearsal less often.
constexpr uint64_t kRehearseSure = 4;
constexpr uint64_t kShared = 16;  // examples; of more, a mistake is no great part
constexpr int kDraws = 6;         // until an example of the other class is found

// However little memory there may be, a checkpoint is made for so many examples at a time.
constexpr uint64_t kCheckpointAtLeastEvery = 256;

// Rows that die by the clock, untouched, are looked for once in so many examples where not all are in memory;
// of a large model, once in as many examples as take a good part of the time that looking at all its rows
// does.
constexpr uint64_t kSweepEvery = 4096;
constexpr uint64_t kRowsPerExample = 256;

// The log is looked over for what has expired once in so many examples. Of those there then were, two go for
// each that came, at most: a clock that jumps does not empty the log.
constexpr uint64_t kExpireEvery = 256;
constexpr double kMicrosecondsPerDay = 86400e6;

int64_t MicrosecondsNow() {
  const auto since_1970 = std::chrono::system_clock::now().time_since_epoch();
  return std::chrono::duration_cast<std::chrono::microseconds>(since_1970).count();
}

}  // namespace

std::filesystem::path ModelDirectory(const Settings& settings) {
  return std::filesystem::path(settings.store_path) / settings.model;
}

storage::Durability DurabilityOf(const Settings& settings, storage::Durability automatic) {
  if (settings.durability == "sync") return storage::Durability::kSync;
  if (settings.durability == "group") return storage::Durability::kGroup;
  return settings.durability == "os" ? storage::Durability::kOs : automatic;
}

double BytesPer(uint64_t count, const storage::Database::Sizes& sizes) {
  const auto bytes = static_cast<double>(sizes.families.at("weights") + sizes.families.at("tokens"));
  return count == 0 ? 0 : bytes / static_cast<double>(count);
}

Model::Model(std::unique_ptr<storage::Database> database, ModelIdentity identity)
    : database_(std::move(database)),
      identity_(std::move(identity)),
      id_space_(identity_.seed),
      log_(std::make_unique<storage::ExampleLog>(*database_)),
      weights_(std::make_unique<storage::WeightTable>(*database_, learner().RowBytes())),
      globals_(learner()) {}

Model::~Model() = default;

Result<std::unique_ptr<Model>> Model::OpenOrCreate(const std::filesystem::path& dir, const Settings& settings,
                                                   const WriteAccess& access) {
  const auto identity = NewIdentity(settings);  // used only if there is no model yet
  if (!identity) return tl::unexpected(identity.error());
  auto database = storage::Database::OpenOrCreate(dir, *identity, access.durability, access.wait);
  if (!database) return StoreFailure(database.error());
  auto model = Join(*std::move(database), settings);
  if (!model) return model;
  (*model)->checkpoint_every_ = access.checkpoint_every;
  (*model)->memory_bytes_ = access.memory_bytes;
  (*model)->weights_->SetBudget(access.memory_bytes);
  if (auto recovered = (*model)->Recover(nullptr); !recovered) return tl::unexpected(recovered.error());
  if (auto kept = (*model)->KeepFromNow(access.keep); !kept) return tl::unexpected(kept.error());
  return model;
}

Result<std::unique_ptr<Model>> Model::OpenExisting(const std::filesystem::path& dir, const Settings& settings,
                                                   const WriteAccess& access) {
  if (auto exists = CheckExists(dir); !exists) return tl::unexpected(exists.error());
  return OpenOrCreate(dir, settings, access);
}

Result<void> Model::CheckExists(const std::filesystem::path& dir) {
  const auto exists = storage::Database::CheckExists(dir);
  if (exists) return {};
  if (exists.error().kind != storage::ErrorKind::kMissing) return StoreFailure(exists.error());
  return tl::unexpected(Error{kNoInput, exists.error().message + "; begin with `thresher learn`"});
}

Result<std::unique_ptr<Model>> Model::OpenForReading(const std::filesystem::path& dir,
                                                     const Settings& settings) {
  if (auto exists = CheckExists(dir); !exists) return tl::unexpected(exists.error());
  auto database = storage::Database::OpenForReading(dir);
  if (!database) return StoreFailure(database.error());
  return Join(*std::move(database), settings);
}

Result<std::unique_ptr<Model>> Model::Join(std::unique_ptr<storage::Database> database,
                                           const Settings& settings) {
  auto identity = ReadIdentity(database->meta(), settings);
  if (!identity) return tl::unexpected(identity.error());
  std::unique_ptr<Model> model(new Model(std::move(database), *std::move(identity)));
  if (auto loaded = model->LoadGlobals(); !loaded) return tl::unexpected(loaded.error());
  return model;
}

Result<void> Model::LoadGlobals() {
  const auto stored = database_->ReadGlobals();
  if (!stored) return StoreFailure(stored.error());
  const auto applied = database_->ReadAppliedSeq();
  if (!applied) return StoreFailure(applied.error());
  applied_seq_ = checkpoint_seq_ = *applied;
  if (stored->empty()) return {};
  if (!globals_.Assign(std::as_bytes(std::span(*stored))))
    return tl::unexpected(CorruptStore("the globals have a wrong size"));
  return {};
}

// Applies the examples that were acknowledged after the last checkpoint, exactly as they were applied the
// first time.
Result<void> Model::Recover(const std::function<void(uint64_t)>& on_progress) {
  std::optional<Error> failure;
  const auto read = log_->Read(checkpoint_seq_, [&](const storage::Example& example) {
    if (auto applied = ApplyLogged(example); !applied) failure = applied.error();
    applied_seq_ = example.seq;
    if (on_progress) on_progress(example.seq);
    return !failure;
  });
  if (failure) return tl::unexpected(*failure);
  if (!read) return StoreFailure(read.error());
  return {};
}

Result<void> Model::ApplyLogged(const storage::Example& example) {
  auto features = Decode(example);
  if (!features) return tl::unexpected(features.error());
  if (logged_texts_ != nullptr) NoteTexts(&*features);
  if (auto noted = NoteLogged(example); !noted) return noted;
  std::optional<Label> label = LabelOf(example);
  if (corrected_ != nullptr) {
    const auto in_place = corrected_->InPlaceOf(example);
    if (!in_place) return tl::unexpected(in_place.error());
    label = *in_place;
  }
  if (!label) return {};
  const auto score = ScoreToLearn(*features);
  if (!score) return tl::unexpected(score.error());
  auto evidence = static_cast<Evidence>(example.evidence);
  if (corrected_ != nullptr && evidence == Evidence::kCorrection)
    evidence = Evidence::kReply;  // of what has expired
  const auto applied = Apply(example.seq, *features, *label, evidence, score->margin);
  return applied ? Result<void>() : tl::unexpected(applied.error());
}

Result<void> Model::Acknowledge() {
  if (auto done = log_->Acknowledge(); !done) return StoreFailure(done.error());
  return {};
}

bool Model::CanTell() const { return globals_.facts().taught.CanTell(); }

bool Model::IsLive(const std::byte* row) { return learner().IsLive(row, globals_.learner()); }

tokenizer::Tokenizer Model::MakeTokenizer() const { return {identity_.features, identity_.seed}; }

Result<Features> Model::Decode(const storage::Example& example) const {
  auto features = tokenizer::DecodeFeatures(example.features, id_space_);
  if (!features)
    return tl::unexpected(CorruptStore(fmt::format("example {} cannot be decoded", example.seq)));
  return *std::move(features);
}

// Leaves the rows in rows_.
Result<Score> Model::ScoreRows(const Features& features) {
  if (auto found = weights_->Find(features.ids, &rows_); !found) return StoreFailure(found.error());
  return ScoreOf(learner(), Vector(features), rows_, globals_);
}

Result<Score> Model::ScoreToLearn(const Features& features) {
  if (auto derived = Derive(); !derived) return tl::unexpected(derived.error());
  return ScoreRows(features);
}

Result<Score> Model::Classify(const Features& features) { return ScoreRows(features); }

Result<Learned> Model::Learn(const Features& features, Label label, const MessageKey& key,
                             Evidence evidence) {
  if (failed_) return tl::unexpected(*failed_);
  const Result<Score> score = ScoreToLearn(features);
  if (!score) return tl::unexpected(score.error());

  // The log keeps the texts of features that have no live row: with them a model can be made again, under any
  // learner.
  with_text_.resize(features.size());
  for (size_t i = 0; i < features.size(); ++i) {
    with_text_[i] = rows_[i] == nullptr || !IsLive(rows_[i]) ? 1 : 0;  // dead rows may be gone at any time
  }
  example_.features.clear();
  tokenizer::EncodeFeatures(features, id_space_, with_text_, &example_.features);
  example_.time_us = MicrosecondsNow();
  example_.label = static_cast<int8_t>(label);
  example_.evidence = static_cast<uint8_t>(evidence);
  example_.message_id = key.message_id;
  example_.digest = key.digest;
  const auto seq = log_->Append(example_);
  if (!seq) return StoreFailure(seq.error());

  example_.seq = *seq;
  const auto noted = NoteLogged(example_);
  const auto updated =
      noted ? Apply(*seq, features, label, evidence, score->margin) : tl::unexpected(noted.error());
  if (!updated) {
    failed_ = updated.error();
    return tl::unexpected(*failed_);
  }
  applied_seq_ = *seq;
  if (live_) live_->Publish(globals_, applied_seq_);
  if (IsCheckpointDue()) {
    if (auto done = Checkpoint(); !done) return tl::unexpected(done.error());
  }
  return Learned{*score, *updated};
}

bool Model::IsCheckpointDue() const {
  const uint64_t learned = applied_seq_ - checkpoint_seq_;
  const bool is_too_large = memory_bytes_ > 0 && memory_bytes() > memory_bytes_;
  return learned >= checkpoint_every_ || (is_too_large && learned >= kCheckpointAtLeastEvery);
}

// REQUIRES: ScoreToLearn of the same features was the last thing done. Returns whether weights changed.
Result<bool> Model::Apply(uint64_t seq, const Features& features, Label label, Evidence evidence,
                          double margin) {
  ModelGlobals::Facts& all = globals_.facts();
  all.taught.Add(label, evidence);
  all.features_seen.Add(features.ids);
  if (all.taught.IsFair(evidence)) all.calibration.Learn(margin, label);
  const Features share = evidence == Evidence::kCorrection ? ShareOfMistake(features) : Features();
  auto updated = Update(features, label, margin);
  if (updated && share.size() > 0) {
    if (auto taken = TakeBack(share, label); !taken) return tl::unexpected(taken.error());
  }
  if (!updated || !all.taught.IsLongRun() || !(*updated || seq % kRehearseSure == 0)) return updated;
  if (auto rehearsed = Rehearse(seq); !rehearsed) return tl::unexpected(rehearsed.error());
  return updated;
}

// Of features that few examples were learned from, a mistake among these is a large part of what they say,
// and a model that has come round to the right label by the others does not learn from it any more. So the
// mistake is taken back, from each feature as far as it was one of so many. REQUIRES: rows_ holds the rows of
// the features.
Features Model::ShareOfMistake(const Features& features) const {
  Features share;
  for (size_t i = 0; i < features.size(); ++i) {
    if (rows_[i] == nullptr) continue;
    const learners::Counts counts = learners::Learner::CountsOf(rows_[i]);
    const uint64_t learned_from = uint64_t{counts.ham} + counts.spam;
    if (learned_from == 0 || learned_from > kShared) continue;
    share.Add(features.ids[i], features.values[i] / static_cast<float>(learned_from), features.Text(i));
  }
  return share;
}

Result<void> Model::TakeBack(const Features& share, Label label) {
  if (auto found = weights_->Find(share.ids, &rows_); !found) return StoreFailure(found.error());
  const auto updated = Update(share, label, learner().MarginOfMistake(label));
  return updated ? Result<void>() : tl::unexpected(updated.error());
}

// A run of one class pulls what all mail has in common to its side, and with it the mail of the other class.
// So an earlier example of the other class is learned again, drawn from the log by the number of the present
// one: it is the same when the log is applied again.
Result<void> Model::Rehearse(uint64_t seq) {
  const bool other_is_spam = globals_.facts().taught.run < 0;
  const uint64_t first = log_->extent().first_seq;
  std::mt19937_64 draw(seq);
  for (int i = 0; i < kDraws; ++i) {
    const auto example = log_->Get(first + draw() % (seq - first + 1));
    if (!example) return StoreFailure(example.error());
    if (!*example) continue;
    const auto label = corrected_ != nullptr ? corrected_->LastOf(**example) : LabelOf(**example);
    if (!label) return tl::unexpected(label.error());
    if ((*label == Label::kSpam) != other_is_spam) continue;
    auto features = Decode(**example);
    if (!features) return tl::unexpected(features.error());
    if (auto found = weights_->Find(features->ids, &rows_); !found) return StoreFailure(found.error());
    KeepWhatHasText(&*features);
    const auto score = ScoreToLearn(*features);
    if (!score) return tl::unexpected(score.error());
    const auto updated = Update(*features, *label, score->margin);
    if (!updated) return tl::unexpected(updated.error());
    return {};
  }
  return {};
}

// The log has the text of a feature where the model did not know it yet. What has died since cannot come back
// without. REQUIRES: rows_ holds the rows of the features.
void Model::KeepWhatHasText(Features* features) {
  features->KeepIf([&](size_t i) {
    return !features->Text(i).empty() || tokenizer::IdSpace::IsNgram(features->ids[i]) ||
           (rows_[i] != nullptr && IsLive(rows_[i]));
  });
}

// Returns whether weights changed.
Result<bool> Model::Update(const Features& features, Label label, double margin) {
  if (!learner().WouldUpdate(margin, label)) return false;

  const auto text_of = [&](size_t i) {
    const std::string_view text = features.Text(i);
    if (!text.empty() || logged_texts_ == nullptr) return text;
    const auto logged = logged_texts_->find(features.ids[i]);
    return logged == logged_texts_->end() ? text : std::string_view(logged->second);
  };
  weights_->Touch(features.ids, text_of, &mutable_rows_);
  const learners::Update update =
      learner().Learn(Vector(features), label, margin, mutable_rows_, globals_.learner(), derived_->get());
  if (update.rebase_due) {
    if (auto done = Rebase(); !done) return tl::unexpected(done.error());
  } else if (live_) {
    live_->Put(features.ids, mutable_rows_, globals_.learner());
  }
  return update.outcome == learners::Outcome::kUpdated;
}

// Other limits hold for what comes; what came is decided by those of then, also when the log is applied
// again.
Result<void> Model::KeepFromNow(const LogLimits& limits) {
  if (globals_.facts().keep == limits) return {};
  globals_.facts().keep = limits;
  return WriteCheckpoint();
}

// What is kept follows from the log and the limits, the times in it included: it is the same when the log is
// applied again.
Result<void> Model::NoteLogged(const storage::Example& example) {
  const LogLimits& keep = globals_.facts().keep;
  storage::LogExtent extent = log_->extent();
  extent.bytes += LoggedBytes(example);
  if (example.seq % kExpireEvery == 0 && (keep.days > 0 || keep.bytes > 0)) {
    const double oldest = static_cast<double>(example.time_us) - keep.days * kMicrosecondsPerDay;
    const uint64_t end = std::min(extent.first_seq + 2 * kExpireEvery, example.seq);
    const auto read = log_->Read(extent.first_seq - 1, [&](const storage::Example& each) {
      const bool is_old = keep.days > 0 && static_cast<double>(each.time_us) < oldest;
      const bool is_too_much = keep.bytes > 0 && extent.bytes > keep.bytes;
      if (each.seq >= end || !(is_old || is_too_much)) return false;
      extent.bytes -= LoggedBytes(each);
      ++extent.first_seq;
      return true;
    });
    if (!read) return StoreFailure(read.error());
  }
  log_->SetExtent(extent);
  return {};
}

Result<void> Model::Rebase() {
  if (auto loaded = weights_->LoadAll(); !loaded) return StoreFailure(loaded.error());
  do {
    weights_->ForEachMutable([&](std::byte* row) { learner().Rebase(row, globals_.learner()); });
  } while (learner().FinishRebase(globals_.learner()));
  derived_.reset();
  if (live_) ReplaceLive();
  return {};
}

Result<std::shared_ptr<LiveScorer>> Model::MakeLiveScorer() {
  if (!live_) {
    auto live = std::make_shared<LiveScorer>(identity_.features, identity_.seed, identity_.learner);
    if (auto shown = Show(std::move(live)); !shown) return tl::unexpected(shown.error());
  }
  return live_;
}

Result<void> Model::Show(std::shared_ptr<LiveScorer> live) {
  if (auto loaded = weights_->LoadAll(); !loaded) return StoreFailure(loaded.error());
  live_ = std::move(live);
  ReplaceLive();
  live_->Publish(globals_, applied_seq_);
  return {};
}

// REQUIRES: every row is in memory.
void Model::ReplaceLive() {
  live_->Replace(
      identity_.learner, [this](const auto& visit) { weights_->ForEach(visit); }, globals_.learner());
}

// Only what learns asks for it; other learners than whole-model ones do not look at the rows.
Result<void> Model::Derive() {
  if (derived_) return {};
  Result<void> loaded;
  const auto all_rows = [&](const auto& visit) {
    if (auto all = weights_->LoadAll(); !all) {
      loaded = StoreFailure(all.error());
    } else {
      weights_->ForEach(visit);
    }
  };
  auto derived = learner().Derive(all_rows, globals_.learner());
  if (loaded) derived_ = std::move(derived);
  return loaded;
}

Result<void> Model::Checkpoint() {
  if (failed_) return tl::unexpected(*failed_);
  if (applied_seq_ == checkpoint_seq_) return {};
  return WriteCheckpoint();
}

Result<void> Model::WriteCheckpoint() {
  const auto is_live = [&](const std::byte* row) { return IsLive(row); };
  if (applied_seq_ / kSweepEvery != checkpoint_seq_ / kSweepEvery && applied_seq_ >= no_sweep_before_) {
    const auto rows = weights_->Sweep(is_live);
    if (!rows) return StoreFailure(rows.error());
    no_sweep_before_ = applied_seq_ + *rows / kRowsPerExample;
  }
  const auto done = weights_->Checkpoint(globals_.bytes(), applied_seq_, is_live, [&](const std::byte* row) {
    return learner().Weight(row, globals_.learner()) != 0;
  });
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
  return LabelOf(**example);
}

Result<std::optional<Features>> Model::TaughtFeatures(const MessageKey& key) {
  const auto example = TaughtExample(key);
  if (!example) return tl::unexpected(example.error());
  if (!*example) return std::nullopt;
  auto features = Decode(**example);
  if (!features) return tl::unexpected(features.error());
  if (auto found = weights_->Find(features->ids, &rows_); !found) return StoreFailure(found.error());
  KeepWhatHasText(&*features);
  return *std::move(features);
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
    const double weight = learner().Weight(row, globals_.learner());
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
    entries.push_back(live ? VocabularyEntry{ids[i], learner().Weight(row, globals_.learner()),
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
      return tl::unexpected(CorruptStore(fmt::format("feature {:016x} has no text", ids[i])));
  }
  return *std::move(texts);
}

Result<ModelStatistics> Model::Statistics() {
  if (auto loaded = weights_->LoadAll(); !loaded) return StoreFailure(loaded.error());
  const ModelGlobals::Facts& all = globals_.facts();
  ModelStatistics statistics;
  weights_->ForEach([&](uint64_t, const std::byte* row) {
    const double magnitude = std::abs(learner().Weight(row, globals_.learner()));
    statistics.l1_norm += magnitude;
    statistics.nonzeros += magnitude > 0 ? 1 : 0;
    statistics.dead_rows += IsLive(row) ? 0 : 1;
    ++statistics.stored_rows;
  });
  statistics.features_seen = all.features_seen.Estimate();
  statistics.ham = all.taught.ham;
  statistics.spam = all.taught.spam;
  statistics.last_seq = log_->last_seq();
  statistics.expired = expired_examples();
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
