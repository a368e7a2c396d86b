// Detects the charset of text that declares none, or a wrong one.
//
// Called by CharsetConverter. Thread-safety: a CharsetDetector serves one thread.
#pragma once

#include <unicode/ucsdet.h>

#include <memory>
#include <string_view>

namespace thresher::tokenizer {

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
