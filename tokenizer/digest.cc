#include "tokenizer/digest.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

#include "tokenizer/ascii.h"

namespace thresher::tokenizer {

std::string HexDigits(uint64_t number) {
  std::string text(16, '0');
  for (auto digit = text.rbegin(); digit != text.rend(); ++digit, number >>= 4)
    *digit = kHexDigits[number & 15];
  return text;
}

std::string DigestOf(std::string_view bytes) { return HexDigits(XXH3_64bits(bytes.data(), bytes.size())); }

}  // namespace thresher::tokenizer
