// Messages that a user names by their Message-IDs, with a label or without, and lists of them.
//
// Used by `feedback`, `forget` and the daemon. Thread-safety: pure functions.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "pipeline/error.h"
#include "pipeline/model/evidence.h"
#include "tokenizer/message_key.h"

namespace thresher::pipeline {

struct Reply {
  Label label;
  std::string message_id;  // as keys have it (CleanMessageId)
  std::string digest;      // of its key; empty: not said
};

// Of the keys that are known under a Message-ID, the only one, or the one with this digest (if not empty).
// Errors: kNoInput, which says `none`; kData if there are several.
Result<tokenizer::MessageKey> OneKey(std::vector<tokenizer::MessageKey> keys, std::string_view message_id,
                                     std::string_view digest, std::string_view none);

// Whose message was looked for, as the end of an error: "for bob", "without a user". And what to do if it is
// another's. Others are not named: who asks may not know who else had the message.
std::string ForWhom(std::string_view user);
std::string NameItsUser(std::string_view user);

// Calls visit(words, number) for each line of the file `path` ("-": standard input) that is not empty, plain
// or compressed, numbered from 1. A word that begins with < ends with the next >, blanks or not. visit's
// error ends it.
using OnWords = std::function<Result<void>(const std::vector<std::string_view>& words, size_t number)>;
Result<void> ForEachLine(const std::string& path, const OnWords& visit);

// A word of such a line as a Message-ID (CleanMessageId): what is between < and >, if there are such. `\xHH`
// in it is that byte, also a < or >: Listable writes so what a terminal must not be given, and these.
std::string ListedMessageId(std::string_view word);

// The same for lines `spam|ham MESSAGE-ID [KEY]`; what is none comes as an error (kData).
Result<void> ForEachReply(const std::string& path,
                          const std::function<Result<void>(const Result<Reply>&, size_t)>& visit);

}  // namespace thresher::pipeline
