// Tokens of strings that programs generate: the shape of those that never repeat (Message-IDs, dates,
// boundaries; the shape shows which program wrote them), the magnitude of counts, and the printable form of
// the rest.
//
// Called by the header and body tokens. Thread-safety: pure functions.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace thresher::tokenizer {

// Replaces *out by the shape of `text`, at most 48 bytes. Runs of digits, of capital, small and 8-bit letters
// each become one '0', 'A', 'a' or 'u'; runs of control bytes and spaces become one '_'; punctuation stays:
// "<20020822.AAx17@mail>" gives "<0.Aa0@a>".
void ShapeOf(std::string_view text, std::string* out);

// The first 100 bytes of `text`, with '?' for every byte that is not printable ASCII, so that tokens can be
// printed as they are. The view holds until *scratch changes.
std::string_view Printable(std::string_view text, std::string* scratch);

// A count rounded up to a power of two, in decimal: 0, 1, 2, 4, 8, … Similar counts share a bucket.
class Bucket {
 public:
  explicit Bucket(uint64_t count);
  std::string_view Text() const { return {digits_.data(), size_}; }

 private:
  std::array<char, 20> digits_;
  size_t size_;
};

}  // namespace thresher::tokenizer
