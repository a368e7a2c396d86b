// Teaches messages for `learn`, and asks before it teaches many that the model contradicts.
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

#include "pipeline/commands/model_to_change.h"
#include "pipeline/delivery/teaching.h"
#include "pipeline/error.h"
#include "pipeline/settings/settings.h"
#include "tokenizer/tokenizer.h"

namespace thresher::pipeline {

class Teacher {
 public:
  explicit Teacher(const Settings& settings) : settings_(&settings) {}

  // Called with what became of a message, when it is taught: an error says why it alone was not taken.
  using OnResult = std::function<void(const Result<TeachResult>&)>;

  enum class Caution {
    kNone,
    kAsk,  // all messages are of one class; if the model contradicts most of them, the error kData asks for
           // --force. TeachHeld is to follow the last one.
  };
  Result<void> Teach(std::string_view message, tokenizer::Kind kind, Label label,
                     const Circumstances& circumstances, Caution caution, OnResult on_result);
  // Teaches the messages that Teach has held back to judge them together.
  Result<void> TeachHeld();

  // How many messages of a class the model holds back until the other comes.
  Result<size_t> Waiting(Label label);
  Result<void> Finish() { return model_ ? model_->Finish() : Result<void>(); }
  // Of the model; empty if nothing is needed, or nothing was taught.
  Result<std::string> WhatIsNeeded();
  // Empty if the model agrees with the `last` examples, or there are few of them.
  Result<std::string> WhatIsDoubtful(uint64_t last);

 private:
  struct Held {
    ModelToChange::Message message;
    Label label;
    Circumstances circumstances;
    OnResult on_result;
    bool is_contradicted;  // when it was held back
  };

  Result<void> Open();
  Result<void> TeachNow(const Held& held);
  Result<void> Report(const Held& held, const Result<TeachResult>& taught);
  Result<size_t> Contradicted(std::span<const Held> messages);

  const Settings* settings_;
  std::unique_ptr<ModelToChange> model_;
  std::vector<Held> held_;
  std::optional<bool> could_judge_;  // Foresight::can_judge of the first message that may be held
};

}  // namespace thresher::pipeline
