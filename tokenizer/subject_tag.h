// The Subject as its sender wrote it: without the tags that lists and filters put before it.
//
// Called by message_key.cc. Thread-safety: pure functions.
#pragma once

#include <string>
#include <string_view>

namespace thresher::tokenizer {

// Removes tags in brackets and braces ("[list]", "{Spam?}") and words between asterisks ("***SPAM***") from
// the beginning of an unfolded Subject. They may stand before, between and after reply marks ("Re:"), which
// stay.
std::string WithoutTags(std::string_view subject);

}  // namespace thresher::tokenizer
