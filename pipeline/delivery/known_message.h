// Whether a model was taught a message before, under which key and label.
//
// Used by Teach, `forget`, the daemon, and what looks ahead (foresight.h). Thread-safety: as MessageHistory.
#pragma once

#include <optional>

#include "pipeline/error.h"
#include "pipeline/model/evidence.h"
#include "pipeline/model/message_history.h"
#include "tokenizer/features.h"
#include "tokenizer/message_key.h"

namespace thresher::pipeline {

// The key under which a message is taught: the one that it was delivered with, under which the spool has it
// from then.
inline const tokenizer::MessageKey& KeyToTeach(const tokenizer::MessageKeys& keys) {
  return keys.delivered ? *keys.delivered : keys.own;
}

struct KnownMessage {
  tokenizer::MessageKey key;
  Label label;
  // It was taught with much the same features, or with no fewer; they differ if headers do. Two copies of a
  // message would otherwise be new to each other for ever, as only what was taught last is found by the key.
  bool has_all = false;
};

// Nothing if none of the keys was taught. Under the unkeyed one, which anybody can forge, only a message that
// is alike counts.
Result<std::optional<KnownMessage>> FindKnown(const MessageHistory& history,
                                              const tokenizer::MessageKeys& keys,
                                              const tokenizer::Features& features);

// Whether two lists of features are of one message, perhaps with some other headers: the cosine of the angle
// between them is at least 0.8.
bool AreAlike(const tokenizer::Features& a, const tokenizer::Features& b);

}  // namespace thresher::pipeline
