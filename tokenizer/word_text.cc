#include "tokenizer/word_text.h"

#include <unicode/uchar.h>
#include <unicode/ustring.h>
#include <unicode/utf16.h>

#include <cstdint>

#include "tokenizer/unseen_characters.h"

namespace thresher::tokenizer {
namespace {

// More accents on one letter than any language uses.
constexpr int32_t kMarks = 30;

// The letters that make up Hangul syllables, without the fillers among them.
bool IsJamo(char16_t c) {
  return (c >= 0x1100 && c <= 0x11FF && c != 0x115F && c != 0x1160) || (c >= 0xA960 && c <= 0xA97F) ||
         (c >= 0xD7B0 && c <= 0xD7FF);
}

}  // namespace

WordText::WordText() {
  UErrorCode status = U_ZERO_ERROR;
  normaliser_ = icu::Normalizer2::getNFKCCasefoldInstance(status);
}

void WordText::Assign(std::string_view utf8) {
  UErrorCode status = U_ZERO_ERROR;
  int32_t length = 0;
  const auto capacity = static_cast<int32_t>(utf8.size());  // UTF-16 never has more units than UTF-8
  u_strFromUTF8WithSub(raw_.getBuffer(capacity), capacity, &length, utf8.data(), capacity, 0xFFFD, nullptr,
                       &status);
  raw_.releaseBuffer(length);
  had_control_in_word_ = false;
  CleanRaw();
  normaliser_->normalize(raw_, text_, status);
  ComposeSaraAm();
  for (const char16_t separator : {u'@', u':'}) {
    for (int32_t i = text_.indexOf(separator); i >= 0; i = text_.indexOf(separator, i + 1)) {
      text_.setCharAt(i, u'\x01');
    }
  }
}

// Drops control characters, and all but the first kMarks of the accents on one letter, because bringing them
// into canonical order takes time quadratic in their number. Makes blanks of fillers.
void WordText::CleanRaw() {
  const int32_t size = raw_.length();
  char16_t* units = raw_.getBuffer(size);
  int32_t kept = 0;
  for (int32_t i = 0, marks = 0; i < size;) {
    const int32_t begin = i;
    UChar32 c = 0;
    U16_NEXT(units, i, size, c);
    if (IsControl(c)) {
      had_control_in_word_ =
          had_control_in_word_ || (kept > 0 && i < size && u_isalpha(units[kept - 1]) && u_isalpha(units[i]));
      continue;
    }
    if (IsHangulFiller(c)) {
      const bool is_in_syllable = (kept > 0 && IsJamo(units[kept - 1])) || (i < size && IsJamo(units[i]));
      if (!is_in_syllable || c > 0x1160) units[begin] = u' ';
    }
    marks = StartsAfresh(c) ? 0 : marks + 1;
    if (marks > kMarks) continue;
    for (int32_t j = begin; j < i; ++j) units[kept++] = units[j];
  }
  raw_.releaseBuffer(kept);
}

// NFKC makes two characters of SARA AM, which the dictionaries of Thai and Lao words have as one.
void WordText::ComposeSaraAm() {
  if (text_.indexOf(u'\x0E4D') < 0 && text_.indexOf(u'\x0ECD') < 0) return;
  const int32_t size = text_.length();
  char16_t* units = text_.getBuffer(size);
  int32_t kept = 0;
  for (int32_t i = 0; i < size; ++i) {
    const char16_t next = i + 1 < size ? units[i + 1] : u'\0';
    const bool is_thai = units[i] == u'\x0E4D' && next == u'\x0E32';
    const bool is_lao = units[i] == u'\x0ECD' && next == u'\x0EB2';
    if (is_thai || is_lao) ++i;
    units[kept++] = is_thai ? u'\x0E33' : is_lao ? u'\x0EB3' : units[i];
  }
  text_.releaseBuffer(kept);
}

bool WordText::StartsAfresh(UChar32 c) const {
  const bool is_han = c >= 0x3400 && c <= 0x9FFF;  // faster, for most of a Chinese text
  return c < 0x300 || is_han || normaliser_->hasBoundaryBefore(c);
}

}  // namespace thresher::tokenizer
