// Strings that programs write, as tokens: what they look like, where none comes twice (Message-IDs, dates,
// boundaries: programs leave their hand in them), how large a count is, and what of them can be printed.
//
// Called by the header and body tokens. Thread-safety: pure functions.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace thresher::tokenizer {

// Runs of digits, of capital, small and 8-bit letters each become one '0', 'A', 'a' or 'u', control bytes and
// spaces '_'; punctuation stays: "<20020822.AAx17@mail>" gives "<0.Aa0@a>". At most 48 bytes. Replaces *out.
void ShapeOf(std::string_view text, std::string* out);

// `text` with '?' for every byte that is not printable ASCII, so that whoever prints the token may just print
// it; at most 100 bytes. The view holds until *scratch changes.
std::string_view Printable(std::string_view text, std::string* scratch);

// A count as the power of two above it, in decimal: 0, 1, 2, 4, 8, … Near counts share a bucket.
class Bucket {
 public:
  explicit Bucket(uint64_t count);
  std::string_view Text() const { return {digits_.data(), size_}; }

 private:
  std::array<char, 20> digits_;
  size_t size_;
};

}  // namespace thresher::tokenizer
