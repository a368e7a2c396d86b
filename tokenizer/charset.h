// Bytes in any charset to UTF-8, by ICU.
//
// Called by the tokenizer for text parts and for header values. Thread-safety: a CharsetConverter serves one
// thread.
#pragma once

#include <memory>
#include <string>
#include <string_view>

namespace thresher::tokenizer {

class CharsetConverter {
 public:
  CharsetConverter();
  ~CharsetConverter();
  CharsetConverter(CharsetConverter&&) noexcept;
  CharsetConverter& operator=(CharsetConverter&&) noexcept;

  // The text of `bytes` as UTF-8: `bytes` itself where it is ASCII or already valid UTF-8 (unless a declared
  // charset says otherwise for non-ASCII), else a view of scratch memory that holds until the next call. An
  // unknown, missing or plainly wrong `declared` charset leads to detection. Bytes that are invalid in the
  // charset become U+FFFD. NUL bytes are kept.
  std::string_view ToUtf8(std::string_view bytes, std::string_view declared);

  // A header value with its RFC 2047 encoded words decoded (adjacent ones joined), folding removed, as UTF-8.
  // Broken encoded words stay as they are. The view holds until the next call.
  std::string_view DecodeHeader(std::string_view value);

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace thresher::tokenizer
