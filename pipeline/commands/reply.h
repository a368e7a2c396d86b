// What somebody says of a message seen before, and lists of that.
//
// Used by `feedback`. Thread-safety: pure functions.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>

#include "learners/learner.h"
#include "pipeline/error.h"

namespace thresher::pipeline {

struct Reply {
  learners::Label label;
  std::string message_id;  // without <>
  std::string digest;      // of its key; empty: not said
};

// Without <>.
std::string_view BareMessageId(std::string_view id);

// Calls visit(reply, number) for each line `spam|ham MESSAGE-ID [KEY]` of the file `path` ("-": standard
// input), plain or compressed, numbered from 1. Empty lines are passed over; what is none of these comes as
// an error (kData). visit's error ends it.
Result<void> ForEachReply(const std::string& path,
                          const std::function<Result<void>(const Result<Reply>&, size_t)>& visit);

}  // namespace thresher::pipeline
