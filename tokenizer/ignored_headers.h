// Headers in which other filters and mail programs write what they think of a message, or what its reader did
// with it. A model that read them would copy their verdicts, and know the label of archived mail.
//
// Used by Options::ignore_headers, whose default they are. Thread-safety: a pure function.
#pragma once

#include <string>
#include <vector>

namespace thresher::tokenizer {

// Of each product. A trailing * matches any ending. docs/tokens.md has the same list with sources.
std::vector<std::string> DefaultIgnoredHeaders();

}  // namespace thresher::tokenizer
