// Converts bytes in any charset to UTF-8, with ICU.
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

  // The text of `bytes` as UTF-8. Returns `bytes` itself if it is ASCII or already valid UTF-8 (unless it is
  // not ASCII and the declared charset decodes it differently), otherwise a view that holds until the next
  // call. A byte order mark at the beginning says the charset, and is left out. If the `declared` charset is
  // unknown, missing or clearly wrong, the charset is detected. Bytes that are invalid in the charset become
  // U+FFFD. NUL bytes are kept.
  std::string_view ToUtf8(std::string_view bytes, std::string_view declared);

  // Whether browsers obey a page that names this charset: they do not if markup has other bytes in it than in
  // ASCII (UTF-16), or may be hidden in it (UTF-7, HZ), except for ISO-2022-JP.
  bool IsOfPages(std::string_view name);

  // A header value as UTF-8, with RFC 2047 encoded words decoded (adjacent ones joined) and folding removed.
  // Broken encoded words stay as they are. The view holds until the next call.
  std::string_view DecodeHeader(std::string_view value);

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace thresher::tokenizer
