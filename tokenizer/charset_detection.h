// Detects the charset of text that declares none, or a wrong one, and doubts what text says of its charset.
//
// Called by CharsetConverter. Thread-safety: a CharsetDetector serves one thread.
#pragma once

#include <unicode/ucsdet.h>

#include <memory>
#include <string_view>

namespace thresher::tokenizer {

// What stands for a byte that is wrong in its charset.
inline constexpr std::string_view kReplacement = "\xEF\xBF\xBD";

// Whether text with a mark may be UTF-16: mostly, a pair of ASCII bytes would be an ideograph. Mail programs
// that obey a declared charset show such text as ASCII, and a mark and a NUL byte would hide it.
bool MayBeUtf16(std::string_view bytes);

// Whether text that was read as UTF-8, and is so in part only, is of an alphabet or of ideographs. Chinese in
// GB 2312 has characters of UTF-8 by chance, of two bytes mostly, whose first one may be any; those of an
// alphabet mostly begin with two bytes. REQUIRES: valid UTF-8.
bool IsOfOneScript(std::string_view utf8);

class CharsetDetector {
 public:
  // ICU's name of the most likely charset; "windows-1252" if none is likely. Takes constant time, whatever
  // the size of the text. REQUIRES: `bytes` contains non-ASCII bytes and is not UTF-8.
  const char* Detect(std::string_view bytes);

 private:
  struct Close {
    void operator()(UCharsetDetector* detector) const { ucsdet_close(detector); }
  };
  std::unique_ptr<UCharsetDetector, Close> detector_;
};

}  // namespace thresher::tokenizer
