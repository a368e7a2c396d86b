// One model at work: tokenizer settings, learner, log, weights and calibration of one store directory,
// joined.
//
// Every command that scores or learns goes through here. Learning is log-then-apply: an example is appended
// to the log, applied to the resident weights, acknowledged; a checkpoint makes weights, globals and the
// number of the last applied example durable together. Opening for writing applies whatever the log holds
// past the last checkpoint. Thread-safety: one thread at a time
// (others score by MakeLiveScorer's).
#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "learners/calibration.h"
#include "learners/learner.h"
#include "pipeline/corrected_labels.h"
#include "pipeline/error.h"
#include "pipeline/live_scorer.h"
#include "pipeline/model_globals.h"
#include "pipeline/model_identity.h"
#include "pipeline/settings/settings.h"
#include "pipeline/taught.h"
#include "storage/database.h"
#include "storage/example_log.h"
#include "storage/weight_table.h"
#include "tokenizer/features.h"
#include "tokenizer/id_space.h"
#include "tokenizer/message_head.h"
#include "tokenizer/tokenizer.h"

namespace thresher::pipeline {

using learners::Label;

// The directory of the model that `settings` name.
std::filesystem::path ModelDirectory(const Settings& settings);

// The durability that `settings` name, or what "auto" stands for.
storage::Durability DurabilityOf(const Settings& settings, storage::Durability automatic);

struct Learned {
  Score before;          // the score the model gave before it learned: what Classify would have said
  bool updated = false;  // false: the learner was sure enough to leave its weights alone
};

// A row of the vocabulary.
struct VocabularyEntry {
  uint64_t id;
  double weight;
  learners::Counts counts;
};

struct ModelStatistics {
  uint64_t nonzeros = 0;  // weights that are not zero
  double l1_norm = 0;     // sum of their magnitudes
  uint64_t stored_rows = 0;
  uint64_t dead_rows = 0;    // of them; a later checkpoint removes them
  double features_seen = 0;  // estimate, ±1.6 %
  uint64_t ham = 0;          // examples taught, corrections counted again
  uint64_t spam = 0;
  uint64_t last_seq = 0;     // of the log
  uint64_t expired = 0;      // examples that left the log
  uint64_t applied_seq = 0;  // of the last checkpoint
  learners::Calibration calibration;
};

// Bytes on disk of a row and its text, for each of `count` rows; 0 if there are none.
double BytesPer(uint64_t count, const storage::Database::Sizes& sizes);

class Model {
 public:
  struct WriteAccess {
    storage::Durability durability = storage::Durability::kSync;
    std::chrono::milliseconds wait{0};  // for another writer
    uint64_t checkpoint_every = 10000;  // examples
    size_t memory_bytes = 0;            // for rows; 0: no limit
    LogLimits keep;
  };

  // Opens the model in `dir` as its only writer and recovers it; creates it as `settings` say if there is
  // none. A model that was made with other features or another learner than `settings` explicitly name is
  // refused.
  static Result<std::unique_ptr<Model>> OpenOrCreate(const std::filesystem::path& dir,
                                                     const Settings& settings, const WriteAccess& access);
  // The same, but a model that does not exist is an error (kNoInput).
  static Result<std::unique_ptr<Model>> OpenExisting(const std::filesystem::path& dir,
                                                     const Settings& settings, const WriteAccess& access);
  // kNoInput if there is no model in `dir`; other errors if that cannot be told.
  static Result<void> CheckExists(const std::filesystem::path& dir);
  // Opens it for inspection, as of its last checkpoint. Never waits, never writes.
  static Result<std::unique_ptr<Model>> OpenForReading(const std::filesystem::path& dir,
                                                       const Settings& settings);

  ~Model();
  Model(const Model&) = delete;
  Model& operator=(const Model&) = delete;

  // A tokenizer with this model's features and seed.
  tokenizer::Tokenizer MakeTokenizer() const;

  Result<Score> Classify(const tokenizer::Features& features);

  // What other threads score by while this one teaches: it follows Learn and Rebuild from now on; the same
  // one when called again. Brings the whole model into memory; what it holds itself is not part of
  // memory_bytes.
  Result<std::shared_ptr<LiveScorer>> MakeLiveScorer();

  // Teaches one example, whatever was taught under its key before.
  Result<Learned> Learn(const tokenizer::Features& features, Label label, const tokenizer::MessageKey& key,
                        Evidence evidence);

  // Returns when what was learned may be acknowledged, as the durability has it.
  Result<void> Acknowledge();

  // Whether it was taught enough to say anything; until then every probability is ½.
  bool CanTell() const;

  // The label last taught under a key; nothing if none was.
  Result<std::optional<Label>> TaughtLabel(const tokenizer::MessageKey& key) const;
  // The features taught under a key, for teaching them again under another label; nothing if none were (or
  // they have expired).
  // Without those that have no row any more and whose text is not known.
  Result<std::optional<tokenizer::Features>> TaughtFeatures(const tokenizer::MessageKey& key);
  // The keys taught that have this Message-ID.
  Result<std::vector<tokenizer::MessageKey>> KeysOf(std::string_view message_id) const;

  // Makes all that was learned durable in the weights. Also done every `checkpoint_every` examples.
  Result<void> Checkpoint();
  // Then brings the store down to the space it needs.
  Result<void> Compact();

  enum class Labels {
    kAsTaught,   // every example, mistakes and corrections too
    kCorrected,  // each message once, as if its last label had been its first (CorrectedLabels)
  };
  // Makes the model again from its log with `learner`, as if it had been taught by it from the start, or from
  // the first example that has not expired. Readers see it, and a crash leaves it, as it was or as it is
  // then. Holds the whole model in memory. on_progress(n), if there is one, is called after each of the log's
  // examples.
  Result<void> Rebuild(std::unique_ptr<learners::Learner> learner, Labels labels,
                       const std::function<void(uint64_t)>& on_progress);

  // Weights found elsewhere take the place of the model's own: the model is then as if its learner had come
  // to them by the examples up to through_seq, and has learned those after. Features whose text is not known
  // any more are left out; returns how many. Readers see it, and a crash leaves it, as it was or as it is
  // then.
  struct Installation {
    std::vector<uint64_t> ids;
    std::vector<learners::Planted> planted;  // of each id
    uint64_t through_seq = 0;
    learners::Calibration calibration;
  };
  // REQUIRES: learner().CanPlant().
  Result<uint64_t> Install(const Installation& installation);

  // Every row with a weight that is not zero, in no order. Brings the whole model into memory.
  Result<std::vector<VocabularyEntry>> Vocabulary();
  // The weights and counts of these features, in their order; weight 0 where there is no row.
  Result<std::vector<VocabularyEntry>> Lookup(std::span<const uint64_t> ids);
  // The texts of features, never empty.
  Result<std::vector<std::string>> Texts(std::span<const uint64_t> ids) const;
  // Exact; brings the whole model into memory.
  Result<ModelStatistics> Statistics();
  Result<storage::Database::Sizes> Sizes() const;

  const ModelIdentity& identity() const { return identity_; }
  const learners::Learner& learner() const { return *identity_.learner; }
  std::string_view tokenizer_version() const { return tokenizer::kTokenizerVersion; }
  const tokenizer::IdSpace& id_space() const { return id_space_; }
  uint64_t last_seq() const { return log_->last_seq(); }
  // With the next checkpoint nobody can see them any more.
  uint64_t expired_examples() const { return log_->extent().first_seq - 1; }
  uint64_t checkpoint_seq() const { return checkpoint_seq_; }
  size_t memory_bytes() const { return weights_->memory_bytes(); }

 private:
  Model(std::unique_ptr<storage::Database> database, ModelIdentity identity);

  static Result<std::unique_ptr<Model>> Join(std::unique_ptr<storage::Database> database,
                                             const Settings& settings);
  Result<void> LoadGlobals();
  Result<void> Recover(const std::function<void(uint64_t)>& on_progress);
  Result<void> WriteCheckpoint();
  Result<Score> ScoreRows(const tokenizer::Features& features);
  Result<Score> ScoreToLearn(const tokenizer::Features& features);
  Result<void> ApplyLogged(const storage::Example& example);
  Result<bool> Apply(uint64_t seq, const tokenizer::Features& features, Label label, Evidence evidence,
                     double margin);
  Result<bool> Update(const tokenizer::Features& features, Label label, double margin);
  tokenizer::Features ShareOfMistake(const tokenizer::Features& features) const;
  Result<void> TakeBack(const tokenizer::Features& share, Label label);
  Result<void> Rehearse(uint64_t seq);
  Result<void> KeepFromNow(const LogLimits& limits);
  Result<void> NoteLogged(const storage::Example& example);
  void KeepWhatHasText(tokenizer::Features* features);
  Result<void> Rebase();
  Result<void> Show(std::shared_ptr<LiveScorer> live);
  void ReplaceLive();
  Result<void> Derive();
  Result<std::optional<storage::Example>> TaughtExample(const tokenizer::MessageKey& key) const;
  bool IsLive(const std::byte* row);
  bool IsCheckpointDue() const;
  Result<tokenizer::Features> Decode(const storage::Example& example) const;

  // For Rebuild and Install, in model_again.cc.
  Result<void> TeachAgain(std::unique_ptr<learners::Learner> learner,
                          const std::function<void(uint64_t)>& on_progress);
  Result<void> ReadTexts();
  Result<uint64_t> PlantAll(const Installation& installation);
  Result<void> CatchUp(uint64_t after);
  void NoteTexts(tokenizer::Features* features);
  Result<void> NoteStoredTexts();

  std::unique_ptr<storage::Database> database_;
  ModelIdentity identity_;
  tokenizer::IdSpace id_space_;
  std::unique_ptr<storage::ExampleLog> log_;
  std::unique_ptr<storage::WeightTable> weights_;

  ModelGlobals globals_;
  // While a model is made again: the texts in its log so far (and, where some of that has expired, those of
  // the rows there were). The log has each once, where the model of then did not know the feature; that of
  // now may come to know it later.
  std::unordered_map<uint64_t, std::string>* logged_texts_ = nullptr;
  CorrectedLabels* corrected_ = nullptr;  // while it is made again by them
  // Of an example that is in the log and only half in the weights: nothing more is learned or stored.
  std::optional<Error> failed_;
  // What the learner derived from all rows; none before it first learns and after a rebase.
  std::optional<std::unique_ptr<learners::Derived>> derived_;
  std::shared_ptr<LiveScorer> live_;  // null if nobody asked for it
  uint64_t applied_seq_ = 0;          // applied to the resident weights
  uint64_t checkpoint_seq_ = 0;       // … and durable
  uint64_t no_sweep_before_ = 0;      // whole models are looked over that seldom
  uint64_t checkpoint_every_ = 0;
  size_t memory_bytes_ = 0;

  // Scratch, kept to save allocations.
  std::vector<const std::byte*> rows_;
  std::vector<std::byte*> mutable_rows_;
  std::vector<uint8_t> with_text_;
  storage::Example example_;
};

}  // namespace thresher::pipeline
