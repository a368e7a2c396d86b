#include "tokenizer/id_space.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

#include "tokenizer/ascii.h"

namespace thresher::tokenizer {
namespace {

// Newton's iteration doubles the number of correct low bits: 3, 6, …, 96.
constexpr uint64_t InverseOfOdd(uint64_t odd) {
  uint64_t inverse = odd;
  for (int i = 0; i < 5; ++i) inverse *= 2 - odd * inverse;
  return inverse;
}

}  // namespace

IdSpace::IdSpace(uint64_t seed) : seed_(seed) {}

uint64_t IdSpace::Token(std::string_view text) const {
  return XXH3_64bits_withSeed(text.data(), text.size(), seed_) & kLow63;
}

uint32_t IdSpace::NgramBytes(uint64_t id) const {
  constexpr uint64_t first_inverse = InverseOfOdd(kFirst);
  constexpr uint64_t second_inverse = InverseOfOdd(kSecond);
  static_assert(kFirst * first_inverse == 1 && kSecond * second_inverse == 1);
  uint64_t x = id & kLow63;
  x ^= x >> 32;
  x = ((x * second_inverse) ^ SecondKey()) & kLow63;
  x ^= x >> 32;
  x = (x * first_inverse) ^ seed_;
  return static_cast<uint32_t>(x);
}

std::string IdSpace::NgramText(uint64_t id) const {
  const uint32_t bytes = NgramBytes(id);
  std::string text = "raw:";
  for (int shift = 24; shift >= 0; shift -= 8) {
    const uint32_t byte = (bytes >> shift) & 0xff;
    // The backslash is escaped too, so that different n-grams have different texts.
    if (byte > 0x20 && byte < 0x7f && byte != '\\') {
      text += static_cast<char>(byte);
    } else {
      text += "\\x";
      text += kHexDigits[byte >> 4];
      text += kHexDigits[byte & 15];
    }
  }
  return text;
}

}  // namespace thresher::tokenizer
