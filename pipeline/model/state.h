// The parts of an open model: database, log, weights, globals.
//
// Shared by what works on one model: Model and what it calls write them, Inspection and MessageHistory read
// them. Thread-safety: one thread at a time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>

#include "learners/learner.h"
#include "pipeline/error.h"
#include "pipeline/model/evidence.h"
#include "pipeline/model/globals.h"
#include "pipeline/model/identity.h"
#include "pipeline/model/score.h"
#include "storage/database.h"
#include "storage/example_log.h"
#include "storage/found_rows.h"
#include "storage/weight_table.h"
#include "tokenizer/feature_decoder.h"
#include "tokenizer/features.h"
#include "tokenizer/id_space.h"

namespace thresher::pipeline {

inline learners::SparseVector AsSparseVector(const tokenizer::Features& features) {
  return {features.ids, features.values};
}

inline Label LabelOf(const storage::Example& example) {
  return example.label > 0 ? Label::kSpam : Label::kHam;
}

// As the example was taught.
inline Teaching TeachingOf(const storage::Example& example) {
  return {LabelOf(example), EvidenceIn(example.evidence), TurnsIn(example.evidence)};
}

struct ModelState {
  // As of its last checkpoint.
  static Result<std::shared_ptr<ModelState>> Load(std::unique_ptr<storage::Database> opened,
                                                  ModelIdentity recorded);
  ModelState(std::unique_ptr<storage::Database> opened, ModelIdentity recorded);

  const learners::Learner& learner() const { return *identity.learner; }
  bool IsLive(const std::byte* row) const { return learner().IsLive(row, globals.learner()); }
  // Examples that left the log.
  uint64_t expired() const { return log.extent().first_seq - 1; }

  // Finds the rows of the features and scores by them.
  Result<Score> Classify(const tokenizer::Features& features, storage::FoundRows* found);
  // The same, but rows without a weight may be missing from `found`, since reading them takes longer than all
  // else of a message that changes nothing.
  Result<Score> ClassifyByWeights(const tokenizer::Features& features, storage::FoundRows* found);
  // Call after a checkpoint: what is stored is as of now.
  void NoteCheckpoint();

  Result<tokenizer::Features> Decode(const storage::Example& example) const;
  // Drops the features whose text is not known: without it they cannot have a weight. Examples of older
  // releases lack texts that were stored with rows; those of rows with a weight still are. `found` then shows
  // the rows of the features that are kept.
  Result<void> KeepWhatHasText(tokenizer::Features* features, storage::FoundRows* found);

  // Unlearns everything; `labels` is recorded (identity.h). The log stays, and so does what is stored, until
  // the next checkpoint. With `features`, the messages of the log are tokenised to these from now on.
  void StartOver(std::shared_ptr<const learners::Learner> learner,
                 const learners::RehearsalOptions& rehearsal, std::string_view labels,
                 const std::optional<OtherFeatures>& features = std::nullopt);

  std::unique_ptr<storage::Database> database;
  ModelIdentity identity;
  tokenizer::IdSpace id_space;
  tokenizer::FeatureDecoder decoder;
  storage::ExampleLog log;
  storage::WeightTable weights;
  ModelGlobals globals;
  uint64_t applied_seq = 0;     // the last example that is applied to the resident weights
  uint64_t checkpoint_seq = 0;  // the last example in the stored weights
  // Set when learning failed half-way: an example is in the log but only partly in the weights. From then on
  // nothing is learned or checkpointed.
  std::optional<Error> failed;
};

}  // namespace thresher::pipeline
