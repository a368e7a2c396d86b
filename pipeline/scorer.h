// Scores messages by a model's last checkpoint: what `filter` and `classify` open. (LiveScorer::Reader is one
// that scores by a model which is being taught.)
//
// Reads the score image where there is one, which takes a process a fraction of the time that opening the
// database does; the database where there is none. The scores are the same, bit for bit. Thread-safety: one
// thread at a time.
#pragma once

#include <filesystem>
#include <memory>
#include <vector>

#include "pipeline/error.h"
#include "pipeline/model_globals.h"
#include "pipeline/settings/settings.h"
#include "tokenizer/features.h"
#include "tokenizer/id_space.h"
#include "tokenizer/tokenizer.h"

namespace thresher::pipeline {

class Scorer {
 public:
  // Refuses what Model::OpenForReading refuses. Never waits, never writes.
  static Result<std::unique_ptr<Scorer>> Open(const std::filesystem::path& dir, const Settings& settings);
  virtual ~Scorer() = default;
  Scorer(const Scorer&) = delete;
  Scorer& operator=(const Scorer&) = delete;

  // A tokenizer with the model's features and seed.
  virtual tokenizer::Tokenizer MakeTokenizer() const = 0;
  virtual const tokenizer::IdSpace& id_space() const = 0;
  virtual Result<Score> Classify(const tokenizer::Features& features) = 0;

 protected:
  Scorer() = default;
};

}  // namespace thresher::pipeline
