// Two implementations that agree on ASCII:
//
// - ScanAscii: classes of bytes and those rules of UAX #29 that ASCII can reach:
//     letters, digits, _    form a word                        foo_bar
//     . '                   do not end a word between letters  don't
//     . , ; '               do not end a word between digits   3.14
// - IcuWords: NFKC and case folding (which removes soft hyphens, zero-width joiners and the like), but with
//   Thai and Lao vowels as their dictionaries have them, then ICU's word iterator of the root locale.
//   Releases of ICU differ on '@' and ':' inside words; here both always separate.
//
// Besides words, a run of one of ! $ ? is a token, cut to three bytes: "!", "!!", "!!!".
//
// Split() passes to ICU only those pieces of the text that contain non-ASCII. Pieces are cut at ASCII white
// space that is followed by ASCII, where both normalisation and word rules start anew.
#include "tokenizer/words.h"

#include <unicode/brkiter.h>
#include <unicode/normalizer2.h>
#include <unicode/unistr.h>
#include <unicode/ustring.h>
#include <unicode/utf8.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>

#include "tokenizer/ascii.h"
#include "tokenizer/word_mask.h"

namespace thresher::tokenizer {
namespace {

constexpr size_t kWordBytes = 64;
constexpr size_t kRunLength = 3;
// A piece for ICU continues over shorter ASCII than this, so that text in accented Latin is not split into
// many small pieces.
constexpr size_t kBridge = 32;
// More accents on one letter than any language uses.
constexpr int32_t kMarks = 30;
// ICU's lengths have 32 bits. No message is nearly as long.
constexpr size_t kMaxText = size_t{1} << 29;
constexpr size_t kNoRun = SIZE_MAX;

enum ByteClass : uint8_t { kOther, kLetter, kDigit, kUnderscore, kQuoteOrDot, kCommaOrSemicolon, kRun };

constexpr std::array<ByteClass, 256> kClasses = [] {
  std::array<ByteClass, 256> classes{};
  for (size_t c = 'a'; c <= 'z'; ++c) classes[c] = classes[c - 32] = kLetter;
  for (size_t c = '0'; c <= '9'; ++c) classes[c] = kDigit;
  classes['_'] = kUnderscore;
  classes['\''] = classes['.'] = kQuoteOrDot;
  classes[','] = classes[';'] = kCommaOrSemicolon;
  classes['!'] = classes['$'] = classes['?'] = kRun;
  return classes;
}();

ByteClass ClassOf(char c) { return kClasses[static_cast<unsigned char>(c)]; }

// A word's place in the buffer of normalised text.
struct Range {
  size_t begin;
  size_t size;
};

// Whether text[i], which is no word byte, joins what is on both sides of it into one word.
bool Joins(std::string_view text, size_t i) {
  const ByteClass joint = ClassOf(text[i]);
  if ((joint != kQuoteOrDot && joint != kCommaOrSemicolon) || i + 1 == text.size()) return false;
  const ByteClass side = ClassOf(text[i - 1]);
  if (ClassOf(text[i + 1]) != side) return false;
  return side == kDigit || (side == kLetter && joint == kQuoteOrDot);
}

size_t EndOfRun(std::string_view text, size_t begin) {
  const size_t end = text.find_first_not_of(text[begin], begin);
  return end == std::string_view::npos ? text.size() : end;
}

// Appends the words of `text`. REQUIRES: it is ASCII in lower case, and is at `offset` in the buffer.
void ScanAscii(std::string_view text, size_t offset, WordMask* mask, std::vector<Range>* words) {
  mask->Assign(text);
  for (size_t begin = mask->Begin(0); begin < text.size();) {
    const bool is_run = ClassOf(text[begin]) == kRun;
    size_t end = is_run ? EndOfRun(text, begin) : mask->End(begin);
    if (!is_run) {
      while (end < text.size() && Joins(text, end)) end = mask->End(end + 1);
    }
    // ICU treats a single underscore as punctuation.
    if (end - begin > 1 || text[begin] != '_')
      words->push_back({offset + begin, std::min(end - begin, is_run ? kRunLength : kWordBytes)});
    begin = mask->Begin(end);
  }
}

// The length of `word`, cut at a character boundary to at most kWordBytes.
size_t CutToLimit(std::string_view word) {
  if (word.size() <= kWordBytes) return word.size();
  size_t size = kWordBytes;
  while (size > 0 && (static_cast<unsigned char>(word[size]) & 0xC0) == 0x80) --size;
  return size;
}

class IcuWords {
 public:
  IcuWords() {
    UErrorCode status = U_ZERO_ERROR;
    normaliser_ = icu::Normalizer2::getNFKCCasefoldInstance(status);
    iterator_.reset(icu::BreakIterator::createWordInstance(icu::Locale::getRoot(), status));
  }

  // Appends the normalised text to *buffer and its words to *words.
  void Append(std::string_view utf8, std::string* buffer, std::vector<Range>* words) {
    // If ICU's data is not installed, only ASCII is split.
    if (normaliser_ == nullptr || iterator_ == nullptr) return;
    Normalise(utf8);
    run_end_ = kNoRun;
    iterator_->setText(text_);
    int32_t begin = iterator_->first();
    for (int32_t end = iterator_->next(); end != icu::BreakIterator::DONE; end = iterator_->next()) {
      AppendSegment(begin, end, iterator_->getRuleStatus() >= UBRK_WORD_NONE_LIMIT, buffer, words);
      begin = end;
    }
  }

 private:
  void Normalise(std::string_view utf8) {
    UErrorCode status = U_ZERO_ERROR;
    int32_t length = 0;
    const auto capacity = static_cast<int32_t>(utf8.size());  // UTF-16 never has more units than UTF-8
    u_strFromUTF8WithSub(raw_.getBuffer(capacity), capacity, &length, utf8.data(), capacity, 0xFFFD, nullptr,
                         &status);
    raw_.releaseBuffer(length);
    CutMarks();
    normaliser_->normalize(raw_, text_, status);
    ComposeSaraAm();
    for (const char16_t separator : {u'@', u':'}) {
      for (int32_t i = text_.indexOf(separator); i >= 0; i = text_.indexOf(separator, i + 1)) {
        text_.setCharAt(i, u'\x01');
      }
    }
  }

  // Drops all but the first kMarks of the accents on one letter, because bringing them into canonical order
  // takes time quadratic in their number.
  void CutMarks() {
    const int32_t size = raw_.length();
    char16_t* units = raw_.getBuffer(size);
    int32_t kept = 0;
    for (int32_t i = 0, marks = 0; i < size;) {
      const int32_t begin = i;
      UChar32 c = 0;
      U16_NEXT(units, i, size, c);
      marks = StartsAfresh(c) ? 0 : marks + 1;
      if (marks > kMarks) continue;
      for (int32_t j = begin; j < i; ++j) units[kept++] = units[j];
    }
    raw_.releaseBuffer(kept);
  }

  // NFKC makes two characters of SARA AM, which the dictionaries of Thai and Lao words have as one.
  void ComposeSaraAm() {
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

  bool StartsAfresh(UChar32 c) const {
    const bool is_han = c >= 0x3400 && c <= 0x9FFF;  // faster, for most of a Chinese text
    return c < 0x300 || is_han || normaliser_->hasBoundaryBefore(c);
  }

  void AppendSegment(int32_t begin, int32_t end, bool is_word, std::string* buffer,
                     std::vector<Range>* words) {
    const size_t offset = buffer->size();
    AppendUtf8(begin, end, buffer);
    const std::string_view segment = std::string_view(*buffer).substr(offset);
    if (is_word) {
      words->push_back({offset, CutToLimit(segment)});
    } else if (segment.size() == 1 && ClassOf(segment[0]) == kRun) {
      AppendToRun(segment[0], offset, *buffer, words);
    }
  }

  // ICU returns each sign of a run as a segment.
  void AppendToRun(char sign, size_t offset, const std::string& buffer, std::vector<Range>* words) {
    if (offset == run_end_ && buffer[words->back().begin] == sign) {
      words->back().size = std::min(offset + 1 - words->back().begin, kRunLength);
    } else {
      words->push_back({offset, 1});
    }
    run_end_ = offset + 1;
  }

  void AppendUtf8(int32_t begin, int32_t end, std::string* buffer) const {
    const char16_t* units = text_.getBuffer();
    for (int32_t i = begin; i < end;) {
      UChar32 c = 0;
      U16_NEXT(units, i, end, c);
      std::array<char, U8_MAX_LENGTH> bytes{};
      size_t size = 0;
      U8_APPEND_UNSAFE(bytes, size, c);
      buffer->append(bytes.data(), size);
    }
  }

  std::unique_ptr<icu::BreakIterator> iterator_;
  const icu::Normalizer2* normaliser_ = nullptr;
  icu::UnicodeString raw_;
  icu::UnicodeString text_;
  size_t run_end_ = kNoRun;
};

// The end of the piece for ICU that contains the non-ASCII byte at `i`.
size_t EndOfPiece(std::string_view text, size_t i) {
  while (i < text.size()) {
    if (!IsAscii(text[i])) {
      ++i;
      continue;
    }
    const size_t ascii = AsciiPrefix(text.substr(i));
    const size_t end = i + ascii;
    if (ascii >= kBridge || end == text.size()) {
      const auto* space = std::find_if(text.begin() + i, text.begin() + end, IsAsciiSpace);
      if (space != text.begin() + end) return static_cast<size_t>(space - text.begin());
    }
    i = end;
  }
  return i;
}

// Its begin: the last white space of the ASCII before it, or 0.
size_t BeginOfPiece(std::string_view text, size_t non_ascii) {
  while (non_ascii > 0 && !IsAsciiSpace(text[non_ascii - 1])) --non_ascii;
  return non_ascii > 0 ? non_ascii - 1 : 0;
}

}  // namespace

class WordSplitter::Impl {
 public:
  const std::vector<std::string_view>& Split(std::string_view text) {
    Clear();
    text = text.substr(0, kMaxText);
    while (!text.empty()) {
      const size_t ascii = AsciiPrefix(text);
      const size_t piece = ascii == text.size() ? ascii : BeginOfPiece(text, ascii);
      AppendAscii(text.substr(0, piece));
      const size_t end = EndOfPiece(text, ascii);
      if (end > piece) Icu().Append(text.substr(piece, end - piece), &buffer_, &ranges_);
      text.remove_prefix(end);
    }
    return Words();
  }

  const std::vector<std::string_view>& SplitByIcu(std::string_view text) {
    Clear();
    Icu().Append(text.substr(0, kMaxText), &buffer_, &ranges_);
    return Words();
  }

 private:
  // Made when it is needed: a process that reads one message in ASCII would spend a fifth of a millisecond on
  // ICU's data.
  IcuWords& Icu() { return icu_ ? *icu_ : icu_.emplace(); }

  void Clear() {
    buffer_.clear();
    ranges_.clear();
  }

  void AppendAscii(std::string_view text) {
    const size_t offset = buffer_.size();
    AppendLowerAscii(text, &buffer_);
    ScanAscii(std::string_view(buffer_).substr(offset), offset, &mask_, &ranges_);
  }

  const std::vector<std::string_view>& Words() {
    buffer_.append(kSlack, '\0');
    words_.clear();
    for (const Range& range : ranges_) words_.emplace_back(buffer_.data() + range.begin, range.size);
    return words_;
  }

  std::optional<IcuWords> icu_;
  std::string buffer_;  // the normalised text
  WordMask mask_;
  std::vector<Range> ranges_;
  std::vector<std::string_view> words_;
};

WordSplitter::WordSplitter() : impl_(std::make_unique<Impl>()) {}
WordSplitter::~WordSplitter() = default;
WordSplitter::WordSplitter(WordSplitter&&) noexcept = default;
WordSplitter& WordSplitter::operator=(WordSplitter&&) noexcept = default;

const std::vector<std::string_view>& WordSplitter::Split(std::string_view utf8) { return impl_->Split(utf8); }

const std::vector<std::string_view>& WordSplitter::SplitByIcu(std::string_view utf8) {
  return impl_->SplitByIcu(utf8);
}

}  // namespace thresher::tokenizer
