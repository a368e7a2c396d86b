#include "pipeline/scorer.h"

#include <optional>
#include <utility>

#include "pipeline/model.h"
#include "pipeline/model_identity.h"
#include "storage/score_image.h"

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

  tokenizer::Tokenizer MakeTokenizer() const override { return {identity_.features, identity_.seed}; }
  const tokenizer::IdSpace& id_space() const override { return id_space_; }

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
  explicit DatabaseScorer(std::unique_ptr<Model> model) : model_(std::move(model)) {}

  tokenizer::Tokenizer MakeTokenizer() const override { return model_->MakeTokenizer(); }
  const tokenizer::IdSpace& id_space() const override { return model_->id_space(); }
  Result<Score> Classify(const tokenizer::Features& features) override { return model_->Classify(features); }

 private:
  std::unique_ptr<Model> model_;
};

}  // namespace

Result<std::unique_ptr<Scorer>> Scorer::Open(const std::filesystem::path& dir, const Settings& settings) {
  if (auto exists = Model::CheckExists(dir); !exists) return tl::unexpected(exists.error());
  if (auto image = storage::ScoreImage::Open(dir)) {
    auto identity = ReadIdentity(image->meta(), settings);
    if (!identity) return tl::unexpected(identity.error());
    auto scorer = std::make_unique<ImageScorer>(*std::move(image), *std::move(identity));
    if (scorer->Load()) return scorer;
  }
  auto model = Model::OpenForReading(dir, settings);
  if (!model) return tl::unexpected(model.error());
  return std::make_unique<DatabaseScorer>(*std::move(model));
}

}  // namespace thresher::pipeline
