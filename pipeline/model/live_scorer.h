// Scores messages in any number of threads while one thread teaches the model.
//
// Made by Model::MakeLiveScorer; each scoring thread makes a Reader. Every score is that of the model as it
// was after some example, whole, to the bit: of the last one whose Learn had returned when the scoring began,
// or a later one. Scoring takes no lock and never waits or repeats. Learning an example waits for scorings
// that began before the previous example was published.
//
// It holds two copies (storage/left_right.h) of the globals and of the rows that weigh (weight not 0).
// Learning an example writes what it touched to the copy that nobody reads and puts it in front; the other
// copy gets it with the next example.
//
// Thread-safety: Readers may be made anywhere; one thread uses one. The rest is for the model's thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "learners/learner.h"
#include "pipeline/model/globals.h"
#include "pipeline/model/identity.h"
#include "pipeline/model/scorer.h"
#include "storage/left_right.h"
#include "storage/row_slots.h"
#include "tokenizer/feature_decoder.h"
#include "tokenizer/features.h"
#include "tokenizer/message_key.h"
#include "tokenizer/tokenizer.h"

namespace thresher::pipeline {

class LiveScorer {
 public:
  class Reader;

  // Of a model that has learned nothing yet.
  explicit LiveScorer(const ModelIdentity& identity);

  // What follows makes the next version, which readers see from Publish on. WeightUpdates calls it; rows and
  // globals are the learner's, as they are after the change.

  // The rows of the model are these and no others.
  void Replace(const std::shared_ptr<const learners::Learner>& learner, const learners::RowSource& rows,
               std::span<const std::byte> globals);
  // These rows of the model have changed or are new.
  void Put(std::span<const uint64_t> ids, std::span<const std::byte* const> rows,
           std::span<const std::byte> globals);
  // applied_seq: of the last example that the model has learned.
  void Publish(const ModelGlobals& globals, uint64_t applied_seq);

  // How many weights are not zero.
  uint64_t CountWeights() const;
  // Of both copies, about.
  size_t memory_bytes() const { return 2 * versions_.front().rows.memory_bytes(); }

 private:
  struct Version {
    explicit Version(std::shared_ptr<const learners::Learner> new_learner);
    void StartOver(const std::shared_ptr<const learners::Learner>& new_learner, size_t expected_rows);
    // slot: that of `id`, or kNone if it has none. REQUIRES: room was reserved.
    void Write(size_t slot, uint64_t id, const std::byte* row);

    std::shared_ptr<const learners::Learner> learner;
    storage::RowSlots rows;  // those that weigh, or have weighed
    ModelGlobals globals;
    uint64_t applied_seq = 0;
  };
  // What the copy in front has and the other one has not.
  struct Changes {
    bool all = false;
    std::vector<uint64_t> ids;
    std::vector<std::byte> rows;  // of `ids`, one after the other
    void Clear();
  };

  Version& Next();
  void CatchUp(Version* back) const;
  void DropWhatWeighsNothing(Version* next);

  storage::LeftRight<Version> versions_;
  ModelIdentity identity_;  // but for the learner, which a rebuild may replace
  Changes changes_;
  bool is_next_begun_ = false;  // the copy at the back has what the one in front has
  size_t weighing_ = 0;         // number of rows that weighed when all were last looked at
};

// REQUIRES: its LiveScorer outlives it.
class LiveScorer::Reader final : public Scorer {
 public:
  explicit Reader(LiveScorer& live)
      : live_(&live), decoder_(live.identity_.MakeDecoder()), versions_(live.versions_) {}

  std::unique_ptr<Scorer> ForAnotherThread() const override { return std::make_unique<Reader>(*live_); }
  tokenizer::Tokenizer MakeTokenizer() const override { return live_->identity_.MakeTokenizer(); }
  tokenizer::KeyMaker MakeKeyMaker() const override { return live_->identity_.MakeKeyMaker(); }
  const tokenizer::FeatureDecoder& decoder() const override { return decoder_; }
  TaughtCounts taught() const override { return taught_; }
  Contradictions contradictions() const override { return contradictions_; }
  // Never fails.
  Result<Score> Classify(const tokenizer::Features& features) override;

  // The last example learned by the model that gave the last score. Never less than before.
  uint64_t applied_seq() const { return applied_seq_; }

 private:
  LiveScorer* live_;
  tokenizer::FeatureDecoder decoder_;
  storage::LeftRight<Version>::Reader versions_;
  std::vector<std::byte*> rows_;
  uint64_t applied_seq_ = 0;
  TaughtCounts taught_;
  Contradictions contradictions_;
};

}  // namespace thresher::pipeline
