// One record of a shared log: what a user taught one message as, with everything that decides what is
// learned; or what a user wants forgotten.
//
// All nodes learn from the record alone, so it holds what only its author knows: the features, whether the
// message waited in its spool, the time. Written by the daemon that a user told, read by every node's
// Follower. Version 1, integers little-endian:
//
//   "thresher" · checksum u64, XXH3 of all that follows · version u8 · flags u8 · label i8 · turns u8 ·
//   identity u64 · author u64 · number u64 · time i64 · for each key that the flags name, `own` first: size
//   of its Message-ID u16, of its digest u16, both texts · features (tokenizer/feature_codec.h)
// Version 3 is the same of a message that no user taught, but the model's own verdict.
//
// Version 2 forgets: label 0, one key, no features. Its flag 1 says that the Message-ID is the name of a
// user, whose messages are all meant.
//
// Thread-safety: pure functions.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <tl/expected.hpp>

#include "learners/learner.h"
#include "pipeline/delivery/teaching.h"
#include "tokenizer/message_key.h"

namespace thresher::pipeline {

enum class Act {
  kTeach,
  kForget,       // the message of keys.own
  kForgetAllOf,  // all messages of the user who is named by keys.own.message_id
};

struct Operation {
  Act act = Act::kTeach;
  uint64_t identity = 0;  // SharedIdentity::Digest
  uint64_t author = 0;    // a random number of the node's outbox
  uint64_t number = 0;    // 1, 2, 3, … for each author, in this order in the log
  int64_t time_us = 0;    // when the user said so
  Label label = Label::kHam;
  Circumstances circumstances;
  bool is_reply = false;        // taught because of its verdict
  tokenizer::MessageKeys keys;  // a user's own name is part of them (tokenizer/user.h)
  std::string features;         // encoded
};

// REQUIRES: keys that the example log takes, and turns up to kMostTurns.
std::string EncodeOperation(const Operation& operation);

// What a record is if it is no operation.
enum class NoOperation {
  kForeign,  // another program's, or damaged
  kNewer,    // of a version that this program does not read
};
// Accepts any bytes.
tl::expected<Operation, NoOperation> DecodeOperation(std::string_view bytes);

// The name under which it is published.
std::string NameOf(const Operation& operation);

}  // namespace thresher::pipeline
