// The fast path agrees with ICU on any bytes, and words are as long as words.h says.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "tokenizer/words.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  static thresher::tokenizer::WordSplitter fast;
  static thresher::tokenizer::WordSplitter general;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const auto& words = fast.Split(text);
  if (words != general.SplitByIcu(text)) std::abort();
  for (const std::string_view word : words) {
    if (word.empty() || word.size() > 64) std::abort();
  }
  return 0;
}
