#include "pipeline/terminal/character.h"

#include <unicode/uchar.h>
#include <unicode/utf8.h>

#include <algorithm>
#include <cstddef>

namespace thresher::pipeline {
namespace {

constexpr size_t kLongest = 4;  // bytes of a character

bool IsSafe(int32_t code) {
  if (code >= 0x20 && code < 0x7f) return true;
  const auto category = U_MASK(u_charType(code));
  return (category & (U_GC_CC_MASK | U_GC_ZL_MASK | U_GC_ZP_MASK)) == 0 &&
         u_hasBinaryProperty(code, UCHAR_BIDI_CONTROL) == 0;
}

}  // namespace

Character TakeCharacter(std::string_view* text) {
  const auto* data = reinterpret_cast<const uint8_t*>(text->data());
  int32_t size = 0;
  int32_t code = 0;
  U8_NEXT(data, size, static_cast<int32_t>(std::min(text->size(), kLongest)), code);
  const auto length = code < 0 ? size_t{1} : static_cast<size_t>(size);
  const std::string_view bytes = text->substr(0, length);
  text->remove_prefix(length);
  return {.bytes = bytes, .code = code, .is_safe = code >= 0 && IsSafe(code)};
}

}  // namespace thresher::pipeline
