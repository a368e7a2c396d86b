// Strings that programs write, as tokens: what they look like, where none comes twice (Message-IDs, dates,
// boundaries: programs leave their hand in them), how large a count is, and what of them can be printed.
//
// Called by the header and body tokens. Thread-safety: pure functions.
#pragma once

#include <bit>
#include <charconv>
#include <cstdint>
#include <string>
#include <string_view>

#include "tokenizer/ascii.h"

namespace thresher::tokenizer {

// Runs of digits, of capital, small and 8-bit letters each become one '0', 'A', 'a' or 'u', control bytes and
// spaces '_'; punctuation stays: "<20020822.AAx17@mail>" gives "<0.Aa0@a>". At most 48 bytes. Replaces *out.
inline void ShapeOf(std::string_view text, std::string* out) {
  constexpr size_t kMaxShape = 48;
  out->clear();
  for (const char c : text) {
    char shape = c;
    if (!IsAscii(c)) {
      shape = 'u';
    } else if (IsAsciiDigit(c)) {
      shape = '0';
    } else if (IsAsciiLetter(c)) {
      shape = c <= 'Z' ? 'A' : 'a';
    } else if (c <= ' ' || c == '\x7f') {
      shape = '_';
    }
    const bool runs = shape == '_' || IsAsciiLetter(shape) || IsAsciiDigit(shape);
    if (runs && !out->empty() && out->back() == shape) continue;
    if (out->size() == kMaxShape) return;
    out->push_back(shape);
  }
}

// `text` with '?' for every byte that is not printable ASCII, so that whoever prints the token may just print
// it. The view holds until *scratch changes.
inline std::string_view Printable(std::string_view text, std::string* scratch) {
  constexpr size_t kMaxPrintable = 100;
  scratch->assign(text.substr(0, kMaxPrintable));
  for (char& c : *scratch) {
    if (c < ' ' || c > '~') c = '?';
  }
  return *scratch;
}

// A count as the power of two above it, in decimal: 0, 1, 2, 4, 8, … Near counts share a bucket.
class Bucket {
 public:
  explicit Bucket(uint64_t count) {
    const uint64_t bucket = count < 2 ? count : std::bit_ceil(count);
    end_ = std::to_chars(digits_, digits_ + sizeof(digits_), bucket).ptr;
  }
  operator std::string_view() const { return {digits_, static_cast<size_t>(end_ - digits_)}; }  // NOLINT

 private:
  char digits_[24];
  char* end_;
};

}  // namespace thresher::tokenizer
