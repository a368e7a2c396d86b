// Decodes quoted-printable (RFC 2045), also what is not quite that.
//
// As GMime does: "=" that begins neither a byte nor a soft line break stands for itself, with the two bytes
// behind it. But blanks that programs added on the way, between "=" and the line's end, do not count (6.7).
//
// Used by transfer_decoder.cc and ngram_text.cc. Thread-safety: pure functions. Linear time.
#pragma once

#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>

#include "tokenizer/ascii.h"

namespace thresher::tokenizer {

// The size of what follows the "=" of a soft line break at the beginning of `text`; 0 if none does.
inline size_t SoftBreakSize(std::string_view text) {
  const size_t blanks = std::min(text.find_first_not_of(" \t"), text.size());
  text.remove_prefix(blanks);
  if (text.starts_with('\n')) return blanks + 1;
  return text.starts_with("\r\n") ? blanks + 2 : text.empty() ? blanks : 0;
}

// Appends the decoded `text`, until *out has `limit` bytes.
inline void AppendQuotedPrintable(std::string_view text, size_t limit, std::string* out) {
  constexpr size_t kCode = 2;  // bytes behind "="
  while (!text.empty() && out->size() < limit) {
    const size_t plain = std::min({text.find('='), text.size(), limit - out->size()});
    out->append(text.substr(0, plain));
    text.remove_prefix(plain);
    if (!text.starts_with('=') || out->size() == limit) continue;
    text.remove_prefix(1);
    size_t size = kCode;
    if (!AppendHexByte(text, 0, out)) {
      size = SoftBreakSize(text);
      if (size == 0 && text.size() < kCode) return;  // an incomplete code at the end
      if (size == 0) out->append("=").append(text.substr(0, size = kCode));
    }
    text.remove_prefix(size);
  }
  if (out->size() > limit) out->resize(limit);
}

}  // namespace thresher::tokenizer
