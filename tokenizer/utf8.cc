#include "tokenizer/utf8.h"

#include <unicode/utf8.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "tokenizer/ascii.h"

namespace thresher::tokenizer {

bool IsValidUtf8(std::string_view bytes) {
  while (true) {
    bytes.remove_prefix(AsciiPrefix(bytes));
    if (bytes.empty()) return true;
    const auto size = static_cast<int32_t>(std::min<size_t>(bytes.size(), INT32_MAX));
    const auto* data = reinterpret_cast<const uint8_t*>(bytes.data());
    int32_t i = 0;
    while (i < size && !IsAscii(bytes[static_cast<size_t>(i)])) {
      UChar32 c = 0;
      U8_NEXT(data, i, size, c);
      if (c < 0) return false;
    }
    bytes.remove_prefix(static_cast<size_t>(i));
  }
}

}  // namespace thresher::tokenizer
