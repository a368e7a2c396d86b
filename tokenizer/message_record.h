// A message as a log or a spool may hold it: what the tokenizer read of it, so that its features can be made
// again, by a later tokenizer, too.
//
//   byte    0 mail, 1 a document
//   varint  length of the user's name, the name
//   bytes   the message without headers that other programs added, up to limits.message_bytes
//
// Written and read by Tokenizer; feature_codec.cc puts it in the place of features. Thread-safety: pure
// functions.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "tokenizer/tokenizer.h"

namespace thresher::tokenizer {

struct MessageRecord {
  Kind kind = Kind::kMail;
  std::string_view user;   // empty: no particular user
  std::string_view bytes;  // what the tokenizer read
};

void WriteMessageRecord(const MessageRecord& record, std::string* out);

// The parts of `bytes`, which they point into; nothing if it is no record. Accepts any bytes.
std::optional<MessageRecord> ReadMessageRecord(std::string_view bytes);

}  // namespace thresher::tokenizer
