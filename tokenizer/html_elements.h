// Properties of HTML elements that the renderer needs.
//
// Called by the HTML renderer. Thread-safety: pure functions.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "tokenizer/ascii.h"

namespace thresher::tokenizer {

// Whether words end where an element begins or ends. A block also ends an open <p>.
enum class HtmlBreak : uint8_t { kNone, kSpace, kLine, kBlock };

// An element of a family ends an open one of the same family: a new <td> ends the one before it. Within one
// of kAlone, such as <a>, stands no other of the same name.
enum class HtmlFamily : uint8_t { kNone, kAlone, kHeading, kTable, kList, kDefinitions, kOptions, kRuby };

// What stands between start tag and end tag: HTML, nothing (there is no end tag), raw text that is shown, or
// raw text that is not shown.
enum class HtmlContent : uint8_t { kElements, kNothing, kText, kUnseen };

struct HtmlElement {
  std::string_view name;
  HtmlBreak breaks = HtmlBreak::kNone;
  HtmlContent content = HtmlContent::kElements;
  HtmlFamily family = HtmlFamily::kNone;
  // Within the family, an element ends the open ones of its rank and below, up to the nearest fence.
  uint8_t rank = 0;
  bool is_family_fence = false;
  bool is_scope = false;  // what stands in it ends no <p> and no element of kAlone around it
  // It is no part of the page: never shown, and what stands in it ends nothing around it.
  bool is_apart = false;
};

// A name as a number that is fast to compare, whatever its case: its first eight bytes, the first one most
// significant, so that keys sort in the order of the names. NUL bytes count: "a\0" is not "a".
constexpr uint64_t HtmlNameKey(std::string_view name) {
  constexpr size_t kKeyBytes = 8;
  constexpr unsigned char kNul = 0xFF;
  uint64_t key = 0;
  for (const char c : name.substr(0, kKeyBytes))
    key = key << 8 | (c == '\0' ? kNul : static_cast<unsigned char>(ToLowerAscii(c)));
  return name.empty() || name.size() >= kKeyBytes ? key : key << 8 * (kKeyBytes - name.size());
}

// The element of that name (case ignored), or null. `key` is HtmlNameKey(name).
const HtmlElement* FindHtmlElement(std::string_view name, uint64_t key);

// Whether the attribute "bgcolor" means something to the element of that key.
bool HasHtmlBackground(uint64_t key);

}  // namespace thresher::tokenizer
