#include "tokenizer/charset_detection.h"

#include <algorithm>
#include <array>
#include <functional>
#include <numeric>

#include "tokenizer/ascii.h"

namespace thresher::tokenizer {
namespace {

// ICU's detector takes .2 µs per byte, and a sample of this size is enough for it.
constexpr size_t kSampleBytes = 512;
constexpr int32_t kMinConfidence = 10;
constexpr char kLatin[] = "windows-1252";

bool IsIn(char c, unsigned char low, unsigned char high) {
  const auto byte = static_cast<unsigned char>(c);
  return byte >= low && byte <= high;
}

// The text from its first two neighbouring non-ASCII bytes on; empty if there are none. Text in multi-byte
// charsets and other alphabets begins with such a pair; single non-ASCII bytes are accents and quotation
// marks among Latin letters.
std::string_view Sample(std::string_view bytes) {
  const auto* pair = std::adjacent_find(bytes.begin(), bytes.end(),
                                        [](char a, char b) { return !IsAscii(a) && !IsAscii(b); });
  return bytes.substr(static_cast<size_t>(pair - bytes.begin()), kSampleBytes);
}

// ICU's detector is unsure of Chinese text shorter than a sentence, such as an unencoded subject. This test
// requires that every pair of bytes is a character of GB 2312, and that four fifths of them are punctuation
// or one of the 3,755 frequent characters. Korean uses frequent characters only up to 0xC8, and Russian in
// KOI8-R has both bytes in 0xC0 to 0xDF, so one pair outside each of these ranges is required too.
bool LooksLikeGb2312(std::string_view sample) {
  size_t pairs = 0;
  size_t frequent = 0;
  bool is_korean = true;
  bool is_russian = true;
  for (size_t i = 0; i + 1 < sample.size(); ++i) {
    if (IsAscii(sample[i])) continue;
    const char lead = sample[i++];
    if (!IsIn(lead, 0xA1, 0xF7) || !IsIn(sample[i], 0xA1, 0xFE)) return false;
    ++pairs;
    if (IsIn(lead, 0xA1, 0xA3) || IsIn(lead, 0xB0, 0xD7)) ++frequent;
    if (IsIn(lead, 0xC9, 0xD7)) is_korean = false;
    if (!IsIn(lead, 0xC0, 0xDF) || !IsIn(sample[i], 0xC0, 0xDF)) is_russian = false;
  }
  return frequent * 10 >= pairs * 8 && !is_korean && !is_russian;
}

// ICU may guess UTF-16 or UTF-32 for text without NUL bytes, and EBCDIC, which mail does not use. By one
// escape sequence it guesses ISO-2022, of which all bytes are ASCII: then all that follows would be read as
// that.
bool IsPlausible(std::string_view name) {
  return !name.starts_with("UTF-16") && !name.starts_with("UTF-32") && !name.starts_with("IBM4") &&
         !name.starts_with("ISO-2022");
}

}  // namespace

bool MayBeUtf16(std::string_view bytes) {
  const auto is_shown = [](char c) {
    return IsAscii(c) && (c >= ' ' || c == '\n' || c == '\r' || c == '\t');
  };
  size_t pairs = 0;
  for (size_t i = 2; i + 1 < bytes.size(); i += 2)
    pairs += is_shown(bytes[i]) && is_shown(bytes[i + 1]) ? 1 : 0;
  return pairs * 4 <= bytes.size();
}

bool IsOfOneScript(std::string_view utf8) {
  constexpr size_t kFew = 4;
  std::array<size_t, 32> begun_by{};  // characters of two bytes, by the first
  size_t longer = 0;
  for (size_t i = 0; i < utf8.size(); ++i) {
    const auto lead = static_cast<unsigned char>(utf8[i]);
    if (lead < 0xC0) continue;
    if (lead < 0xE0) {
      ++begun_by[lead - 0xC0];
    } else if (utf8.substr(i, kReplacement.size()) != kReplacement) {
      ++longer;
    }
  }
  const size_t all = std::accumulate(begun_by.begin(), begun_by.end(), size_t{0});
  std::ranges::nth_element(begun_by, begun_by.begin() + 1, std::greater<>());
  const size_t of_two = begun_by[0] + begun_by[1];
  return (longer >= kFew && longer >= all) || (of_two >= kFew && of_two * 4 >= all * 3);
}

const char* CharsetDetector::Detect(std::string_view bytes) {
  const std::string_view sample = Sample(bytes);
  if (sample.empty()) return kLatin;
  if (LooksLikeGb2312(sample)) return "GB18030";
  UErrorCode status = U_ZERO_ERROR;
  if (detector_ == nullptr) detector_.reset(ucsdet_open(&status));
  if (detector_ == nullptr) return kLatin;
  ucsdet_setText(detector_.get(), sample.data(), static_cast<int32_t>(sample.size()), &status);
  int32_t count = 0;
  const UCharsetMatch** matches = ucsdet_detectAll(detector_.get(), &count, &status);
  for (int32_t i = 0; U_SUCCESS(status) && i < count; ++i) {  // the most likely one first
    const char* name = ucsdet_getName(matches[i], &status);
    if (ucsdet_getConfidence(matches[i], &status) < kMinConfidence) break;
    if (U_SUCCESS(status) && IsPlausible(name)) return name;
  }
  return kLatin;
}

}  // namespace thresher::tokenizer
