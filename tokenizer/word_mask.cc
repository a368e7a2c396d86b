#include "tokenizer/word_mask.h"

#ifdef __SSE2__
#include <emmintrin.h>
#endif

#include <array>
#include <cstring>

#include "tokenizer/ascii.h"

namespace thresher::tokenizer {
namespace {

struct Masks {
  uint64_t words;  // bit i: byte i is of a word
  uint64_t signs;  // it is one of ! $ ?
};

#ifdef __SSE2__
constexpr size_t kStep = 16;

// REQUIRES: first is not 0, and last is below 127, so that all fits signed bytes.
__m128i AreIn(__m128i bytes, char first, char last) {
  return _mm_and_si128(_mm_cmpgt_epi8(bytes, _mm_set1_epi8(static_cast<char>(first - 1))),
                       _mm_cmplt_epi8(bytes, _mm_set1_epi8(static_cast<char>(last + 1))));
}
__m128i Are(__m128i bytes, char byte) { return _mm_cmpeq_epi8(bytes, _mm_set1_epi8(byte)); }
uint64_t BitsOf(__m128i bytes) { return static_cast<uint32_t>(_mm_movemask_epi8(bytes)); }

Masks MasksOf(const char* text) {
  const __m128i bytes = _mm_loadu_si128(reinterpret_cast<const __m128i*>(text));
  const __m128i letters_or_digits = _mm_or_si128(AreIn(bytes, 'a', 'z'), AreIn(bytes, '0', '9'));
  return {BitsOf(_mm_or_si128(letters_or_digits, Are(bytes, '_'))),
          BitsOf(_mm_or_si128(_mm_or_si128(Are(bytes, '!'), Are(bytes, '$')), Are(bytes, '?')))};
}
#else
constexpr size_t kStep = 1;

Masks MasksOf(const char* text) {
  const bool is_word = IsAsciiWordByte(*text) || *text == '_';
  const bool is_sign = *text == '!' || *text == '$' || *text == '?';
  return {is_word ? uint64_t{1} : 0, is_sign ? uint64_t{1} : 0};
}
#endif

}  // namespace

void WordMask::Assign(std::string_view text) {
  const size_t whole = text.size() / kBits;
  begins_.resize(whole + 2);
  ends_.resize(whole + 2);
  const auto assign = [this](size_t at, const char* block) {
    Masks all{};
    for (size_t i = 0; i < kBits; i += kStep) {
      const Masks masks = MasksOf(block + i);
      all.words |= masks.words << i;
      all.signs |= masks.signs << i;
    }
    begins_[at] = all.words | all.signs;
    ends_[at] = ~all.words;
  };
  for (size_t at = 0; at < whole; ++at) assign(at, text.data() + at * kBits);
  std::array<char, kBits> last{};
  const std::string_view rest = text.substr(whole * kBits);
  if (!rest.empty()) std::memcpy(last.data(), rest.data(), rest.size());
  assign(whole, last.data());
  begins_[whole + 1] = ends_[whole + 1] = ~uint64_t{0};
}

}  // namespace thresher::tokenizer
