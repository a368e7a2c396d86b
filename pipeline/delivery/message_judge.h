// Judges messages, one after the other: features and keys of a message, the verdict on it, and what late
// feedback on it will need.
//
// Used by `filter`, which has one, and by `classify` and the daemon, which have one for each thread that
// judges. Memory is used again. Thread-safety: one thread at a time.
#pragma once

#include <functional>
#include <memory>
#include <string_view>

#include "pipeline/delivery/judged.h"
#include "pipeline/delivery/spool.h"
#include "pipeline/error.h"
#include "pipeline/model/scorer.h"
#include "pipeline/settings/settings.h"
#include "tokenizer/features.h"
#include "tokenizer/message_key.h"
#include "tokenizer/tokenizer.h"

namespace thresher::pipeline {

class SenderLists;

class MessageJudge {
 public:
  explicit MessageJudge(std::unique_ptr<Scorer> scorer);
  // By the same model, for another thread meanwhile.
  MessageJudge ForAnotherThread() const { return MessageJudge(scorer_->ForAnotherThread()); }

  // Makes features and keys of a message, as the user's if `user` is not empty.
  void Read(std::string_view message, tokenizer::Kind kind, std::string_view user);
  // Of the message that was read last.
  const tokenizer::MessageKeys& keys() const { return keys_; }
  tokenizer::Features& features() { return features_; }

  // Brings the features of a message into the spool, and may take their memory.
  using Keep = std::function<Result<void>(const Spool& spool, const tokenizer::MessageKey& key,
                                          tokenizer::Features* features)>;

  // The verdict on `message`, which was read last: by the model, the thresholds of `settings`, and the lists.
  // If the settings want a spool, `keep` gets the features. A full, read-only or missing one costs late
  // feedback only, and no verdict.
  Result<Judged> Judge(std::string_view message, const Settings& settings, const SenderLists& lists,
                       const Keep& keep);

 private:
  std::unique_ptr<Scorer> scorer_;
  tokenizer::Tokenizer tokenizer_;
  tokenizer::KeyMaker key_maker_;
  tokenizer::MessageKeys keys_;
  tokenizer::Features features_;
};

// Writes them at once.
Result<void> KeepNow(const Spool& spool, const tokenizer::MessageKey& key, tokenizer::Features* features);

}  // namespace thresher::pipeline
