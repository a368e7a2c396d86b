// Pieces of header lines, as the protocols of the daemon compare them.
//
// Thread-safety: pure functions.
#pragma once

#include <algorithm>
#include <string_view>

namespace thresher::pipeline {

// Of ASCII letters.
inline bool EqualsIgnoringCase(std::string_view a, std::string_view b) {
  const auto lower = [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; };
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [&](char x, char y) { return lower(x) == lower(y); });
}

// Without blanks at both ends.
inline std::string_view Trimmed(std::string_view text) {
  const size_t begin = text.find_first_not_of(" \t");
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(" \t") - begin + 1);
}

}  // namespace thresher::pipeline
