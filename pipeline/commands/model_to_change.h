// The model that a command changes: opened in this process, asked of the daemon that owns it, or taught
// through the log that it follows.
//
// Called by `learn`, `feedback`, `forget` and `filter --learn`, which do not ask which of them it is.
// Thread-safety: one thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "pipeline/delivery/foresight.h"
#include "pipeline/delivery/forget_messages.h"
#include "pipeline/delivery/reply.h"
#include "pipeline/delivery/teaching.h"
#include "pipeline/error.h"
#include "pipeline/model/inspection.h"
#include "pipeline/settings/settings.h"
#include "tokenizer/message_key.h"
#include "tokenizer/tokenizer.h"

namespace thresher::pipeline {

class ModelToChange {
 public:
  enum class IfMissing { kMake, kRefuse };
  // The model of `settings`, which also name the user.
  static Result<std::unique_ptr<ModelToChange>> Open(const Settings& settings, IfMissing if_missing);

  ModelToChange(const ModelToChange&) = delete;
  ModelToChange& operator=(const ModelToChange&) = delete;
  virtual ~ModelToChange() = default;

  // A message, read once for all that is done with it: of bytes or features and keys, what the model needs.
  struct Message {
    std::string bytes;
    tokenizer::Kind kind;
    tokenizer::Features features;
    tokenizer::MessageKeys keys;
  };
  virtual Message Read(std::string_view bytes, tokenizer::Kind kind) = 0;

  // As the functions of these names in pipeline/delivery.
  virtual Result<TeachResult> Teach(const Message& message, Label label,
                                    const Circumstances& circumstances) = 0;
  virtual Result<Foresight> Foresee(const Message& message, Label label) = 0;
  virtual Result<tokenizer::MessageKey> TaughtKey(const Message& message) = 0;
  virtual Result<tokenizer::MessageKey> TaughtKey(std::string_view message_id, std::string_view digest) = 0;
  virtual Result<ForgottenMessages> ForgetThese(const std::vector<tokenizer::MessageKey>& keys) = 0;
  virtual Result<ForgottenMessages> ForgetAllOfUser() = 0;
  // Whether all changes of the model come from a shared log, so that it cannot be rebuilt.
  virtual Result<bool> FollowsLog() = 0;

  // Whether an error of Teach or Foresee concerns that message only: others may still be taken.
  virtual bool IsOfOneMessage(const Error& error) const = 0;

  // Teaches the message that the reply means (FindMeant).
  virtual Result<TeachResult> TeachReply(const Reply& reply) = 0;

  // How many messages of a class the model holds back until the other comes.
  virtual Result<size_t> Waiting(Label label) = 0;
  // What it must still be taught (NeededText).
  virtual Result<std::string> WhatIsNeeded() = 0;
  virtual Result<RecentExamples> Recent(uint64_t most) = 0;

  // Acknowledges what was taught.
  virtual Result<void> Finish() = 0;

 protected:
  ModelToChange() = default;
};

}  // namespace thresher::pipeline
