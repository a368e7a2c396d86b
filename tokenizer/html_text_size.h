// Whether text of a font size can be read.
//
// Called by the reader of styles. Thread-safety: pure functions. Accepts any bytes; linear time.
#pragma once

#include <cstdint>
#include <string_view>

namespace thresher::tokenizer {

enum class TextSize : uint8_t {
  kInvalid,  // browsers ignore it
  kAsAround,
  kUnreadable,
  kReadable,
};

// The value of a "font-size" declaration, in lower case: "0", "1px" and "0.1em" are unreadable, "14px" and
// "small" readable; "2em" says nothing.
TextSize TextSizeOf(std::string_view value);

// Whether it is the unit of a length or a share ("px", "%"), or none, as behind 0.
bool IsCssLength(std::string_view unit);

// The size in a "font" declaration: "bold 14px/20px arial".
TextSize TextSizeInFont(std::string_view value);

}  // namespace thresher::tokenizer
