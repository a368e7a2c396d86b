// The keys under which a message may be known to a model: for feedback, and so that nothing is taught twice.
//
// A key is made with a secret of the model over what identifies a mail: Message-ID, Date and body, then From
// and Subject without a tag that a filter or list put in. So two copies of a message have one key, even if
// line ends, trailing blank lines and delivery headers differ, and no sender can make a message with the key
// of another one. Called by the pipeline. Thread-safety: immutable after construction.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "tokenizer/own_marks.h"

namespace thresher::tokenizer {

struct MessageKey {
  // Without <>. At most 255 bytes: a longer one is replaced by a prefix of it and a digest. May be empty.
  std::string message_id;
  // 16 hexadecimal digits of Message-ID, Date and body, then 16 of these, From and Subject. Releases up to
  // 0.1.0: 16 digits, XXH3-64 of the body.
  std::string digest;

  friend bool operator==(const MessageKey&, const MessageKey&) = default;
};

// The Message-ID as keys have it, of a header's value or of what a person typed: the text between < and >, or
// all of it if there is no <, without white space and control bytes; shortened.
std::string CleanMessageId(std::string_view value);
// The same of what is between the < and >: these are bytes of it like all others. An identifier that is clean
// already stays as it is.
std::string CleanBareMessageId(std::string_view id);

struct MessageKeys {
  MessageKey own;  // of the message as it is
  // The key that its X-Thresher header says, if that is another one: From or Subject were rewritten since.
  // The header counts only if it was written for this Message-ID, Date and body.
  std::optional<MessageKey> delivered;
  // As releases up to 0.1.0 made it, if `own` is not that. Anybody can make a message with the same one.
  std::optional<MessageKey> unkeyed;
};

class KeyMaker {
 public:
  static constexpr size_t kSecretBytes = 32;

  // Of a model with this secret; empty for one that an older release made: it has older keys.
  // `marks`: what is no part of a message.
  KeyMaker(std::string secret, OwnMarks marks) : secret_(std::move(secret)), marks_(std::move(marks)) {}

  // `user`: whose copy of the message it is (user.h); may be empty.
  MessageKeys KeysOf(std::string_view message, std::string_view user = {}) const;

 private:
  std::string secret_;
  OwnMarks marks_;
};

}  // namespace thresher::tokenizer
