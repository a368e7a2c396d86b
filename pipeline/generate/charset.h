// UTF-8 to the charsets mail is written in, and header words as RFC 2047 encodes them. Wraps ICU's
// converters.
//
// Thread-safety: one thread at a time.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <string_view>

struct UConverter;

namespace thresher::pipeline::synthetic {

class CharsetEncoder {
 public:
  // What the charset cannot say becomes its substitute character. REQUIRES: a charset ICU knows, valid UTF-8.
  std::string Encode(std::string_view utf8, const std::string& charset);

  // ASCII as it is; other text as encoded words, one per line, each complete in itself.
  std::string EncodeHeader(std::string_view utf8, const std::string& charset);

 private:
  struct Close {
    void operator()(UConverter* converter) const;
  };
  std::map<std::string, std::unique_ptr<UConverter, Close>, std::less<>> converters_;
};

}  // namespace thresher::pipeline::synthetic
