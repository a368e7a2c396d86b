#include "tokenizer/charset_detection.h"

#include <unicode/utf8.h>

#include <algorithm>

#include "tokenizer/ascii.h"

namespace thresher::tokenizer {
namespace {

// ICU's detector takes .2 µs per byte; on this much it is already sure of itself.
constexpr size_t kSampleBytes = 512;
constexpr int32_t kMinConfidence = 10;
constexpr char kLatin[] = "windows-1252";

// The text from its first two neighbouring non-ASCII bytes on; empty if there are none. Multi-byte charsets
// and other alphabets have them at once; lone ones are accents and quotation marks among Latin letters.
std::string_view Sample(std::string_view bytes) {
  const auto pair = std::adjacent_find(bytes.begin(), bytes.end(),
                                       [](char a, char b) { return !IsAscii(a) && !IsAscii(b); });
  return bytes.substr(static_cast<size_t>(pair - bytes.begin())).substr(0, kSampleBytes);
}

}  // namespace

bool IsValidUtf8(std::string_view bytes) {
  while (true) {
    bytes.remove_prefix(AsciiPrefix(bytes));
    if (bytes.empty()) return true;
    const auto size = static_cast<int32_t>(std::min<size_t>(bytes.size(), INT32_MAX));
    const auto* data = reinterpret_cast<const uint8_t*>(bytes.data());
    int32_t i = 0;
    while (i < size && !IsAscii(bytes[static_cast<size_t>(i)])) {
      UChar32 c = 0;
      U8_NEXT(data, i, size, c);
      if (c < 0) return false;
    }
    bytes.remove_prefix(static_cast<size_t>(i));
  }
}

CharsetDetector::CharsetDetector() {
  UErrorCode status = U_ZERO_ERROR;
  detector_.reset(ucsdet_open(&status));
}

const char* CharsetDetector::Detect(std::string_view bytes) {
  const std::string_view sample = Sample(bytes);
  if (sample.empty() || detector_ == nullptr) return kLatin;
  UErrorCode status = U_ZERO_ERROR;
  ucsdet_setText(detector_.get(), sample.data(), static_cast<int32_t>(sample.size()), &status);
  const UCharsetMatch* match = ucsdet_detect(detector_.get(), &status);
  if (match == nullptr || ucsdet_getConfidence(match, &status) < kMinConfidence) return kLatin;
  const char* name = ucsdet_getName(match, &status);
  return U_SUCCESS(status) ? name : kLatin;
}

}  // namespace thresher::tokenizer
