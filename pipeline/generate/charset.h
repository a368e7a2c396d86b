// Converts UTF-8 to the charsets of mail, and header text to encoded words of RFC 2047. Wraps ICU's
// converters.
//
// Used by World, which all writers of mail share. Thread-safety: one thread at a time.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <string_view>

struct UConverter;

namespace thresher::pipeline::synthetic {

class CharsetEncoder {
 public:
  // Characters that the charset lacks become its substitute character. REQUIRES: a charset of ICU, valid
  // UTF-8.
  std::string Encode(std::string_view utf8, const std::string& charset);

  // ASCII unchanged; other text as encoded words, one per line, none of which splits a character.
  std::string EncodeHeader(std::string_view utf8, const std::string& charset);

 private:
  struct Close {
    void operator()(UConverter* converter) const;
  };
  std::map<std::string, std::unique_ptr<UConverter, Close>, std::less<>> converters_;
};

}  // namespace thresher::pipeline::synthetic
