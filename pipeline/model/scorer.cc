#include "pipeline/model/scorer.h"

#include <mutex>
#include <span>
#include <utility>
#include <vector>

#include "storage/found_rows.h"

namespace thresher::pipeline {
namespace {

class ImageScorer final : public Scorer {
 public:
  // What scorers of one image share.
  struct Shared {
    Shared(storage::ScoreImage opened, ModelIdentity recorded)
        : image(std::move(opened)),
          identity(std::move(recorded)),
          decoder(identity.MakeDecoder()),
          globals(*identity.learner) {}

    // Whether the image is one of its learner's. Somebody may have made it by hand.
    bool Load() {
      return globals.Assign(image.globals()) && globals.AreSound(*identity.learner) &&
             image.row_bytes() == identity.learner->RowBytes();
    }

    storage::ScoreImage image;
    ModelIdentity identity;
    tokenizer::FeatureDecoder decoder;
    ModelGlobals globals;
  };

  explicit ImageScorer(std::shared_ptr<const Shared> shared) : shared_(std::move(shared)) {}

  std::unique_ptr<Scorer> ForAnotherThread() const override { return std::make_unique<ImageScorer>(shared_); }
  tokenizer::Tokenizer MakeTokenizer() const override { return shared_->identity.MakeTokenizer(); }
  tokenizer::KeyMaker MakeKeyMaker() const override { return shared_->identity.MakeKeyMaker(); }
  const tokenizer::FeatureDecoder& decoder() const override { return shared_->decoder; }
  TaughtCounts taught() const override { return shared_->globals.facts().taught; }
  Contradictions contradictions() const override { return shared_->globals.contradictions(); }

  Result<Score> Classify(const tokenizer::Features& features) override {
    shared_->image.Find(features.ids, &rows_);
    return ScoreOf(*shared_->identity.learner, {features.ids, features.values}, rows_, shared_->globals);
  }

 private:
  std::shared_ptr<const Shared> shared_;
  std::vector<const std::byte*> rows_;
};

// Scoring brings rows into memory, so threads take turns.
class DatabaseScorer final : public Scorer {
 public:
  struct Shared {
    explicit Shared(Inspection opened) : model(std::move(opened)), decoder(model.identity().MakeDecoder()) {}

    Inspection model;
    tokenizer::FeatureDecoder decoder;
    std::mutex mutex;          // of those that score
    storage::FoundRows found;  // kept to save allocations
  };

  explicit DatabaseScorer(std::shared_ptr<Shared> shared) : shared_(std::move(shared)) {}

  std::unique_ptr<Scorer> ForAnotherThread() const override {
    return std::make_unique<DatabaseScorer>(shared_);
  }
  tokenizer::Tokenizer MakeTokenizer() const override { return shared_->model.identity().MakeTokenizer(); }
  tokenizer::KeyMaker MakeKeyMaker() const override { return shared_->model.identity().MakeKeyMaker(); }
  const tokenizer::FeatureDecoder& decoder() const override { return shared_->decoder; }
  TaughtCounts taught() const override { return shared_->model.taught(); }
  Contradictions contradictions() const override { return shared_->model.contradictions(); }
  Result<Score> Classify(const tokenizer::Features& features) override {
    const std::scoped_lock lock(shared_->mutex);
    return shared_->model.Classify(features, &shared_->found);
  }

 private:
  std::shared_ptr<Shared> shared_;
};

}  // namespace

std::unique_ptr<Scorer> Scorer::Of(storage::ScoreImage image, ModelIdentity identity) {
  auto shared = std::make_shared<ImageScorer::Shared>(std::move(image), std::move(identity));
  if (!shared->Load()) return nullptr;
  return std::make_unique<ImageScorer>(std::move(shared));
}

std::unique_ptr<Scorer> Scorer::Of(Inspection model) {
  return std::make_unique<DatabaseScorer>(std::make_shared<DatabaseScorer::Shared>(std::move(model)));
}

}  // namespace thresher::pipeline
