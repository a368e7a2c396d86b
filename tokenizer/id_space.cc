#include "tokenizer/id_space.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

namespace thresher::tokenizer {
namespace {

constexpr std::string_view kHex = "0123456789abcdef";

// Newton's iteration doubles the correct low bits: 3, 6, …, 96.
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
    // The backslash too, so that a text stands for one n-gram only.
    if (byte > 0x20 && byte < 0x7f && byte != '\\') {
      text += static_cast<char>(byte);
    } else {
      text += "\\x";
      text += kHex[byte >> 4];
      text += kHex[byte & 15];
    }
  }
  return text;
}

}  // namespace thresher::tokenizer
