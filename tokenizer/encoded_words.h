// RFC 2047: "=?charset?B?…?=" in header values, without charset conversion.
//
// Called by CharsetConverter::DecodeHeader. Thread-safety: pure functions. Total and linear.
#pragma once

#include <functional>
#include <string_view>

namespace thresher::tokenizer {

// Whether `value` can hold an encoded word at all.
inline bool MayHoldEncodedWord(std::string_view value) { return value.find("=?") != std::string_view::npos; }

// Calls append(bytes, charset) for the pieces of `value` in order: plain text with an empty charset, encoded
// words with theirs. White space between encoded words is dropped, and neighbours of one charset come as one
// piece, for some mailers split a character between two. Broken encoded words are plain text. The views hold
// during the call.
void ForEachHeaderPiece(std::string_view value,
                        const std::function<void(std::string_view bytes, std::string_view charset)>& append);

}  // namespace thresher::tokenizer
