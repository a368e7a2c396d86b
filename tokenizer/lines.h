// Lines of a message, which end at LF.
//
// Called by whatever reads heads line by line. Thread-safety: pure functions.
#pragma once

#include <cstddef>
#include <string_view>

namespace thresher::tokenizer {

// The first line of `text` with its LF, if it has one. Empty if `text` is.
inline std::string_view FirstLine(std::string_view text) {
  const size_t end = text.find('\n');
  return end == std::string_view::npos ? text : text.substr(0, end + 1);
}

// Whether the line is empty but for its end.
inline bool IsBlankLine(std::string_view line) { return line == "\n" || line == "\r\n"; }

// Whether the line continues the header before it.
inline bool IsContinuation(std::string_view line) { return line.starts_with(' ') || line.starts_with('\t'); }

}  // namespace thresher::tokenizer
