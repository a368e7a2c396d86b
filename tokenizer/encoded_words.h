// Decodes RFC 2047 encoded words, "=?charset?B?…?=", in header values, without charset conversion.
//
// Called by CharsetConverter::DecodeHeader. Thread-safety: pure functions. Accepts any bytes; linear time.
#pragma once

#include <functional>
#include <string_view>

namespace thresher::tokenizer {

// Whether `value` can contain an encoded word.
inline bool MayHoldEncodedWord(std::string_view value) { return value.find("=?") != std::string_view::npos; }

// Calls append(bytes, charset) for the pieces of `value` in order: plain text with an empty charset, encoded
// words with theirs. White space between encoded words is dropped. Neighbouring words of one charset are
// joined into one piece, because some mail programs split a character between two words. Broken encoded words
// are plain text. The views hold during the call.
void ForEachHeaderPiece(std::string_view value,
                        const std::function<void(std::string_view bytes, std::string_view charset)>& append);

}  // namespace thresher::tokenizer
