// The features of a model, one by one: weights, counts, texts.
//
// Made by Inspection, whose moment it shows. Thread-safety: only in the trainer's thread.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "learners/learner.h"
#include "pipeline/error.h"
#include "pipeline/model/state.h"

namespace thresher::pipeline {

// A row of the vocabulary.
struct VocabularyEntry {
  uint64_t id;
  double weight;
  learners::Counts counts;
};

class Vocabulary {
 public:
  explicit Vocabulary(std::shared_ptr<ModelState> state) : state_(std::move(state)) {}

  // Every row with a weight that is not zero, in no order. Brings the whole model into memory.
  Result<std::vector<VocabularyEntry>> All() const;
  // The weights and counts of these features, in their order; weight 0 where there is no row.
  Result<std::vector<VocabularyEntry>> Lookup(std::span<const uint64_t> ids) const;
  // The texts of features, never empty.
  Result<std::vector<std::string>> Texts(std::span<const uint64_t> ids) const;

  // The texts of distinct features that may have no row: from the log then; empty if they have expired there.
  Result<std::vector<std::string>> TextsInLog(std::span<const uint64_t> ids) const;

 private:
  std::shared_ptr<ModelState> state_;
};

}  // namespace thresher::pipeline
