#include "tokenizer/disguise_tokens.h"

#include <unicode/uchar.h>
#include <unicode/uidna.h>
#include <unicode/uspoof.h>
#include <unicode/utf8.h>

#include <algorithm>

#include "tokenizer/ascii.h"
#include "tokenizer/domain_name.h"
#include "tokenizer/shape.h"
#include "tokenizer/unseen_characters.h"

namespace thresher::tokenizer {
namespace {

constexpr size_t kTextBytes = 64u << 10;
constexpr size_t kMaxWords = 64;  // whose skeletons are computed
constexpr size_t kMaxWordBytes = 64;

bool IsIn(UChar32 c, UChar32 first, UChar32 last) { return c >= first && c <= last; }

// Joiners, zero-width spaces, invisible operators and the like.
bool IsZeroWidth(UChar32 c) {
  return IsIn(c, 0x200B, 0x200D) || IsIn(c, 0x2060, 0x2064) || c == 0xFEFF || c == 0x034F || c == 0x180E;
}
bool IsBidirectional(UChar32 c) {
  return IsIn(c, 0x200E, 0x200F) || IsIn(c, 0x202A, 0x202E) || IsIn(c, 0x2066, 0x2069) || c == 0x061C;
}
// Latin letters in the styles of mathematics, in brackets, circles and squares, and full-width ones.
bool IsStyled(UChar32 c) {
  return IsIn(c, 0x1D400, 0x1D7FF) || IsIn(c, 0x249C, 0x24E9) || IsIn(c, 0x1F110, 0x1F189) ||
         IsIn(c, 0xFF21, 0xFF3A) || IsIn(c, 0xFF41, 0xFF5A);
}

// Letters of the scripts that have many letters like Latin ones: Greek, Cyrillic, Armenian, Cherokee, Lisu.
bool LooksLatin(UChar32 c) {
  return (IsIn(c, 0x0370, 0x058F) || IsIn(c, 0x13A0, 0x13FF) || IsIn(c, 0xA4D0, 0xA4FF) ||
          IsIn(c, 0xAB70, 0xABBF)) &&
         u_isalpha(c);
}

// What a text has of them. Words that mix such letters with ASCII ones are given to visit().
class Scan {
 public:
  template <class Visit>
  Scan(std::string_view utf8, const Visit& visit) {
    // A word may begin with ASCII letters.
    size_t begin = AsciiPrefix(utf8);
    while (begin > 0 && IsAsciiLetter(utf8[begin - 1])) --begin;
    const auto size = static_cast<int32_t>(std::min(utf8.size(), kTextBytes));
    const auto* data = reinterpret_cast<const uint8_t*>(utf8.data());
    word_ = static_cast<int32_t>(begin);
    for (int32_t next = word_; next < size;) {
      if (!has_other_ && IsAscii(utf8[static_cast<size_t>(next)])) {
        next = SkipAscii(utf8.substr(0, static_cast<size_t>(size)), next);
        continue;
      }
      const int32_t at = next;
      UChar32 c = 0;
      U8_NEXT(data, next, size, c);
      if (IsZeroWidth(c)) {
        ++zero_width;
        zero_width_in_word = zero_width_in_word ||
                             (has_ascii_ && next < size && IsAsciiLetter(utf8[static_cast<size_t>(next)]));
        continue;
      }
      Note(c);
      const bool is_ascii = IsIn(c, 0, 0x7F) && IsAsciiLetter(static_cast<char>(c));
      const bool is_other = LooksLatin(c);
      if (!is_ascii && !is_other) {
        if (has_ascii_ && has_other_) visit(Word(utf8, at));
        has_ascii_ = has_other_ = false;
        continue;
      }
      if (!has_ascii_ && !has_other_) word_ = at;
      has_ascii_ = has_ascii_ || is_ascii;
      has_other_ = has_other_ || is_other;
    }
    if (has_ascii_ && has_other_) visit(Word(utf8, size));
  }

  size_t zero_width = 0;
  bool zero_width_in_word = false;
  bool bidirectional = false;
  bool soft_hyphen = false;
  bool filler = false;
  bool tag = false;
  bool styled = false;

 private:
  // The end of the ASCII at `begin`, of which only the letters at its end matter. REQUIRES: the word being
  // read has no other letters.
  int32_t SkipAscii(std::string_view utf8, int32_t begin) {
    const auto end = begin + static_cast<int32_t>(AsciiPrefix(utf8.substr(static_cast<size_t>(begin))));
    int32_t word = end;
    while (word > begin && IsAsciiLetter(utf8[static_cast<size_t>(word) - 1])) --word;
    if (word > begin || !has_ascii_) word_ = word;
    has_ascii_ = word < end;
    return end;
  }
  void Note(UChar32 c) {
    bidirectional = bidirectional || IsBidirectional(c);
    soft_hyphen = soft_hyphen || c == 0xAD;
    filler = filler || IsHangulFiller(c);
    tag = tag || IsIn(c, 0xE0000, 0xE007F);
    styled = styled || IsStyled(c);
  }
  std::string_view Word(std::string_view utf8, int32_t end) const {
    return utf8.substr(static_cast<size_t>(word_), static_cast<size_t>(end - word_));
  }

  // Of the word being read.
  int32_t word_ = 0;
  bool has_ascii_ = false;
  bool has_other_ = false;
};

}  // namespace

// Opened when first needed: most mail needs neither.
class DisguiseTokens::Icu {
 public:
  Icu() {
    UErrorCode status = U_ZERO_ERROR;
    checker_ = uspoof_open(&status);
    status = U_ZERO_ERROR;
    idna_ = uidna_openUTS46(UIDNA_DEFAULT, &status);
  }
  ~Icu() {
    uspoof_close(checker_);
    uidna_close(idna_);
  }
  Icu(const Icu&) = delete;
  Icu& operator=(const Icu&) = delete;

  std::string Skeleton(std::string_view utf8) const {
    std::string out(8 * utf8.size() + 16, '\0');
    UErrorCode status = U_ZERO_ERROR;
    const int32_t size = uspoof_getSkeletonUTF8(checker_, 0, utf8.data(), static_cast<int32_t>(utf8.size()),
                                                out.data(), static_cast<int32_t>(out.size()), &status);
    out.resize(U_SUCCESS(status) ? std::min(static_cast<size_t>(size), out.size()) : 0);
    return LowerAscii(out);
  }

  std::string Unicode(std::string_view host) const {
    std::string out(4 * host.size() + 16, '\0');
    UErrorCode status = U_ZERO_ERROR;
    UIDNAInfo info = UIDNA_INFO_INITIALIZER;
    const int32_t size =
        uidna_nameToUnicodeUTF8(idna_, host.data(), static_cast<int32_t>(host.size()), out.data(),
                                static_cast<int32_t>(out.size()), &info, &status);
    out.resize(U_SUCCESS(status) ? std::min(static_cast<size_t>(size), out.size()) : 0);
    return out;
  }

 private:
  USpoofChecker* checker_;
  UIDNA* idna_;
};

DisguiseTokens::DisguiseTokens(FeatureBuilder* builder) : builder_(builder) {}
DisguiseTokens::~DisguiseTokens() = default;

void DisguiseTokens::Add(std::string_view field, std::string_view utf8) {
  if (AsciiPrefix(utf8) == utf8.size()) return;
  size_t words = 0;
  const Scan scan(utf8, [&](std::string_view word) {
    if (word.size() <= kMaxWordBytes && ++words <= kMaxWords) AddWord(field, word);
  });
  if (scan.zero_width > 0) builder_->Add("disguise:", field, "zero-width:", Bucket(scan.zero_width).Text());
  if (scan.zero_width_in_word) builder_->Add("disguise:", field, "zero-width-in-word");
  if (scan.bidirectional) builder_->Add("disguise:", field, "bidirectional");
  if (scan.soft_hyphen) builder_->Add("disguise:", field, "soft-hyphen");
  if (scan.filler) builder_->Add("disguise:", field, "filler");
  if (scan.tag) builder_->Add("disguise:", field, "tag-character");
  if (scan.styled) builder_->Add("disguise:", field, "styled-letter");
}

void DisguiseTokens::AddWord(std::string_view field, std::string_view word) {
  builder_->Add("disguise:", field, "mixed-scripts");
  if (icu_ == nullptr) icu_ = std::make_unique<Icu>();
  builder_->Add("disguise:word:", icu_->Skeleton(word));
}

void DisguiseTokens::AddHost(std::string_view host) {
  if (!HasPunycodeLabel(host) && AsciiPrefix(host) == host.size()) return;
  if (icu_ == nullptr) icu_ = std::make_unique<Icu>();
  const std::string shown = icu_->Unicode(host);
  const std::string skeleton = icu_->Skeleton(shown);
  if (AsciiPrefix(skeleton) == skeleton.size() && skeleton != shown)
    builder_->Add("disguise:host:", skeleton);
}

}  // namespace thresher::tokenizer
