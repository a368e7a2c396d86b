// Teaches messages for `learn`: to the model in this process, or by the daemon that owns it.
//
// The model is opened for the first message, so that nothing to teach makes no model. Called by `learn`.
// Thread-safety: one thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "pipeline/delivery/foresight.h"
#include "pipeline/delivery/spool.h"
#include "pipeline/delivery/teaching.h"
#include "pipeline/error.h"
#include "pipeline/model/model.h"
#include "pipeline/serve/daemon_client.h"
#include "pipeline/settings/settings.h"
#include "tokenizer/tokenizer.h"

namespace thresher::pipeline {

class Teacher {
 public:
  explicit Teacher(const Settings& settings) : settings_(&settings) {}

  // Called with what became of each message, when it is taught.
  using OnResult = std::function<void(TeachResult)>;

  enum class Caution {
    kNone,
    kAsk,  // all messages are of one class; if the model contradicts most of them, the error kData asks for
           // --force. TeachHeld is to follow the last one.
  };
  Result<void> Teach(std::string_view message, tokenizer::Kind kind, Label label,
                     const Circumstances& circumstances, Caution caution, const OnResult& on_result);
  // Teaches the messages that Teach has held back to judge them together.
  Result<void> TeachHeld(const OnResult& on_result);

  // How many messages of a class the model holds back until the other comes.
  Result<size_t> Waiting(Label label);
  Result<void> Finish() { return model_ ? model_->Checkpoint() : Result<void>(); }
  // Of the model; empty if nothing is needed.
  Result<std::string> WhatIsNeeded();
  // Empty if the model agrees with the `last` examples, or there are few of them.
  Result<std::string> WhatIsDoubtful(uint64_t last);

 private:
  struct Message {
    std::string bytes;  // of these, and features and keys, the ones that who learns it needs
    tokenizer::Kind kind;
    tokenizer::Features features;
    tokenizer::MessageKeys keys;
    Label label;
    Circumstances circumstances;
    bool is_contradicted;  // when it was held back
  };

  Result<void> Open();
  Message Read(std::string_view bytes, tokenizer::Kind kind, Label label, const Circumstances& circumstances);
  Result<Foresight> ForeseeMessage(const Message& message);
  Result<void> TeachNow(const Message& message, const OnResult& on_result);
  Result<size_t> Contradicted(std::span<const Message> messages);

  const Settings* settings_;
  std::optional<DaemonClient> daemon_;  // if one owns the model
  std::unique_ptr<Model> model_;        // else
  std::optional<Spool> spool_;
  std::optional<tokenizer::Tokenizer> tokenizer_;
  std::vector<Message> held_;
};

}  // namespace thresher::pipeline
