// Scores messages. Made by OpenScorer in pipeline/opening; used by MessageJudge.
//
// A scorer of a model's last checkpoint reads the score image, which takes a fraction of the time that
// opening the database does, or the database if there is no image. The scores are the same, bit for bit.
// LiveScorer::Reader scores by a model that is being taught. Thread-safety: one thread at a time;
// ForAnotherThread gives another one its own.
#pragma once

#include <memory>

#include "pipeline/error.h"
#include "pipeline/model/globals.h"
#include "pipeline/model/identity.h"
#include "pipeline/model/inspection.h"
#include "pipeline/model/score.h"
#include "pipeline/model/taught.h"
#include "storage/score_image.h"
#include "tokenizer/feature_decoder.h"
#include "tokenizer/features.h"
#include "tokenizer/message_key.h"
#include "tokenizer/tokenizer.h"

namespace thresher::pipeline {

class Scorer {
 public:
  // By an image of the model with this identity; null if the image is none of its learner's.
  static std::unique_ptr<Scorer> Of(storage::ScoreImage image, ModelIdentity identity);
  static std::unique_ptr<Scorer> Of(Inspection model);
  virtual ~Scorer() = default;
  Scorer(const Scorer&) = delete;
  Scorer& operator=(const Scorer&) = delete;

  // One that scores by the same checkpoint, or by the same live model, and may be used by another thread
  // meanwhile.
  virtual std::unique_ptr<Scorer> ForAnotherThread() const = 0;
  // A tokenizer with the model's features and seed.
  virtual tokenizer::Tokenizer MakeTokenizer() const = 0;
  // Of the model's examples and its spool.
  virtual const tokenizer::FeatureDecoder& decoder() const = 0;
  // Of the keys of the model's messages.
  virtual tokenizer::KeyMaker MakeKeyMaker() const = 0;
  // What the model was taught, and how often it contradicted that; of one that goes on learning, when it gave
  // the last score.
  virtual TaughtCounts taught() const = 0;
  virtual Contradictions contradictions() const = 0;
  virtual Result<Score> Classify(const tokenizer::Features& features) = 0;

 protected:
  Scorer() = default;
};

}  // namespace thresher::pipeline
