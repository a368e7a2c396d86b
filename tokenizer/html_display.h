// Values of the property "display".
//
// Called by the reader of styles. Thread-safety: pure functions. Accepts any bytes; linear time.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace thresher::tokenizer {

// Whether an element stands on lines of its own. kAside: it takes no room between the words around it.
enum class HtmlFlow : uint8_t { kOfElement, kInline, kBlock, kAside };

// Whether an element with this value, in lower case, is not shown: "none".
bool IsHiddenDisplay(std::string_view value);

// The flow of an element with a value that shows: "block", "inline flow-root". Nothing for all others, which
// browsers ignore.
std::optional<HtmlFlow> FlowOfDisplay(std::string_view value);

}  // namespace thresher::tokenizer
