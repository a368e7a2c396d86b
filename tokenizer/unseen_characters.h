// Characters that programs do not show, or show as a blank, though Unicode does not call them white space.
//
// Used where text is split into words, and by the tokens of disguises. Thread-safety: pure functions.
#pragma once

#include <cstdint>

namespace thresher::tokenizer {

// Control characters, but for those that are white space, and U+0085, which is a line end.
constexpr bool IsControl(int32_t c) {
  return c < 0xA0 && ((c > 0x7E && c != 0x85) || (c < ' ' && (c < '\t' || c > '\r')));
}

// Two that stand for a missing letter of a Hangul syllable, and two that are as wide as a syllable.
constexpr bool IsHangulFiller(int32_t c) { return c == 0x115F || c == 0x1160 || c == 0x3164 || c == 0xFFA0; }

}  // namespace thresher::tokenizer
