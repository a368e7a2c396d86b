// What a model was taught of messages, by their keys: for feedback.
//
// Made by Model. Thread-safety: only in the trainer's thread.
#pragma once

#include <memory>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "pipeline/error.h"
#include "pipeline/model/evidence.h"
#include "pipeline/model/state.h"
#include "tokenizer/features.h"
#include "tokenizer/message_key.h"

namespace thresher::pipeline {

class MessageHistory {
 public:
  explicit MessageHistory(std::shared_ptr<ModelState> state) : state_(std::move(state)) {}

  // The label last taught under a key; nothing if none was.
  Result<std::optional<Label>> LabelOf(const tokenizer::MessageKey& key) const;
  // The features taught under a key, for teaching them again under another label; nothing if none were (or
  // they have expired). Without those that have no row any more and whose text is not known.
  Result<std::optional<tokenizer::Features>> FeaturesOf(const tokenizer::MessageKey& key) const;
  // What was taught last under a key; nothing if nothing was. The features are as the log has them: not all
  // texts; none at all if they cannot be decoded.
  struct Taught {
    Label label;
    tokenizer::Features features;
  };
  Result<std::optional<Taught>> LastTaught(const tokenizer::MessageKey& key) const;
  // The keys taught that have this Message-ID.
  Result<std::vector<tokenizer::MessageKey>> KeysOf(std::string_view message_id) const;
  // The keys of examples that have expired and are still rehearsed, or wait to be learned.
  Result<std::vector<tokenizer::MessageKey>> ExpiredKeys() const;

 private:
  Result<std::optional<storage::Example>> Last(const tokenizer::MessageKey& key) const;

  std::shared_ptr<ModelState> state_;
};

}  // namespace thresher::pipeline
