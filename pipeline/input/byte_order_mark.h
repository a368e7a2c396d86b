// Text without the mark that some editors begin a file in UTF-8 with.
//
// Called by the readers of texts that people write: TREC indexes and sender lists. Thread-safety: a pure
// function.
#pragma once

#include <string_view>

namespace thresher::pipeline {

// `text`, the beginning of a file, without its byte order mark if it has one.
inline std::string_view AfterByteOrderMark(std::string_view text) {
  constexpr std::string_view kMark = "\xef\xbb\xbf";
  if (text.starts_with(kMark)) text.remove_prefix(kMark.size());
  return text;
}

}  // namespace thresher::pipeline
