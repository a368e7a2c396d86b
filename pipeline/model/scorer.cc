#include "pipeline/model/scorer.h"

#include <span>
#include <utility>
#include <vector>

#include "storage/found_rows.h"

namespace thresher::pipeline {
namespace {

class ImageScorer final : public Scorer {
 public:
  ImageScorer(storage::ScoreImage image, ModelIdentity identity)
      : image_(std::move(image)),
        identity_(std::move(identity)),
        id_space_(identity_.seed),
        globals_(*identity_.learner) {}

  // Whether the image is one of its learner's.
  bool Load() {
    return globals_.Assign(image_.globals()) && image_.row_bytes() == identity_.learner->RowBytes();
  }

  tokenizer::Tokenizer MakeTokenizer() const override { return identity_.MakeTokenizer(); }
  tokenizer::KeyMaker MakeKeyMaker() const override { return identity_.MakeKeyMaker(); }
  const tokenizer::IdSpace& id_space() const override { return id_space_; }
  TaughtCounts taught() const override { return globals_.facts().taught; }
  Contradictions contradictions() const override { return globals_.contradictions(); }

  Result<Score> Classify(const tokenizer::Features& features) override {
    image_.Find(features.ids, &rows_);
    return ScoreOf(*identity_.learner, {features.ids, features.values}, rows_, globals_);
  }

 private:
  storage::ScoreImage image_;
  ModelIdentity identity_;
  tokenizer::IdSpace id_space_;
  ModelGlobals globals_;
  std::vector<const std::byte*> rows_;
};

class DatabaseScorer final : public Scorer {
 public:
  explicit DatabaseScorer(Inspection model)
      : model_(std::move(model)), id_space_(model_.identity().MakeIdSpace()) {}

  tokenizer::Tokenizer MakeTokenizer() const override { return model_.identity().MakeTokenizer(); }
  tokenizer::KeyMaker MakeKeyMaker() const override { return model_.identity().MakeKeyMaker(); }
  const tokenizer::IdSpace& id_space() const override { return id_space_; }
  TaughtCounts taught() const override { return model_.taught(); }
  Contradictions contradictions() const override { return model_.contradictions(); }
  Result<Score> Classify(const tokenizer::Features& features) override {
    return model_.Classify(features, &found_);
  }

 private:
  Inspection model_;
  tokenizer::IdSpace id_space_;
  storage::FoundRows found_;  // kept to save allocations
};

}  // namespace

std::unique_ptr<Scorer> Scorer::Of(storage::ScoreImage image, ModelIdentity identity) {
  auto scorer = std::make_unique<ImageScorer>(std::move(image), std::move(identity));
  return scorer->Load() ? std::move(scorer) : nullptr;
}

std::unique_ptr<Scorer> Scorer::Of(Inspection model) {
  return std::make_unique<DatabaseScorer>(std::move(model));
}

}  // namespace thresher::pipeline
