// What the renderer has to know about HTML's elements.
//
// Called by the HTML renderer. Thread-safety: pure functions.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "tokenizer/ascii.h"

namespace thresher::tokenizer {

enum class HtmlBreak : uint8_t { kNone, kSpace, kLine };

// Elements that an unclosed one of their own kind cannot contain: a new <td> ends the last one.
enum class HtmlFamily : uint8_t { kNone, kParagraph, kTable, kList, kDefinitions, kOptions };

enum class HtmlContent : uint8_t { kElements, kNothing, kText, kUnseen };  // kNothing: has no end tag

struct HtmlElement {
  std::string_view name;
  HtmlBreak breaks = HtmlBreak::kNone;
  HtmlContent content = HtmlContent::kElements;
  HtmlFamily family = HtmlFamily::kNone;
  uint8_t rank = 0;              // within the family: an element ends open ones of its rank and below …
  bool is_family_fence = false;  // … up to the nearest fence
};

// A name as a number that is quick to compare, whatever its case: its first eight bytes, the first the most
// significant, so that keys sort as names do.
constexpr uint64_t HtmlNameKey(std::string_view name) {
  constexpr size_t kKeyBytes = 8;
  uint64_t key = 0;
  for (const char c : name.substr(0, kKeyBytes)) key = key << 8 | static_cast<unsigned char>(ToLowerAscii(c));
  return name.empty() || name.size() >= kKeyBytes ? key : key << 8 * (kKeyBytes - name.size());
}

// The element of that name (case ignored), or null.
const HtmlElement* FindHtmlElement(std::string_view name, uint64_t key);

}  // namespace thresher::tokenizer
