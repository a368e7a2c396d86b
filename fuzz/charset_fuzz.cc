// Conversion gives valid UTF-8 for any bytes and any declared charset. The first byte chooses the charset, or
// that the others are a header. Not both of each input: charsets are detected by ICU, which takes most of the
// time.
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "tokenizer/charset.h"
#include "tokenizer/utf8.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using thresher::tokenizer::IsValidUtf8;
  constexpr auto kCharsets = std::to_array<std::string_view>(
      {"", "us-ascii", "utf-8", "iso-8859-1", "gb2312", "big5", "iso-2022-jp", "hz-gb-2312", "utf-7",
       "utf-16", "utf-16le", "utf-32", "shift_jis", "euc-kr", "koi8-r", "windows-1251", "iso-2022-cn",
       "x-nonsense", "gb18030"});
  constexpr uint8_t kHeader = 128;
  static thresher::tokenizer::CharsetConverter converter;
  if (size == 0) return 0;
  const std::string_view bytes(reinterpret_cast<const char*>(data) + 1, size - 1);
  const std::string_view text = data[0] < kHeader
                                    ? converter.ToUtf8(bytes, kCharsets[data[0] % kCharsets.size()])
                                    : converter.DecodeHeader(bytes);
  if (!IsValidUtf8(text)) std::abort();
  return 0;
}
