// Two implementations that agree on ASCII:
//
// - ScanAscii: classes of bytes and those rules of UAX #29 that ASCII can reach:
//     letters, digits, _    form a word                        foo_bar
//     . '                   do not end a word between letters  don't
//     . , ; '               do not end a word between digits   3.14
// - IcuWords: NFKC and case folding (which removes soft hyphens, zero-width joiners and the like), but with
//   Thai and Lao vowels as their dictionaries have them, then ICU's word iterator of the root locale.
//   Releases of ICU differ on '@' and ':' inside words; here both always separate. Before, control characters
//   are dropped, which programs do not show, and Hangul fillers become blanks, since they are as wide.
//
// Besides words, a run of one of ! $ ? is a token, cut to three bytes: "!", "!!", "!!!".
//
// Split() passes to ICU only those pieces of the text that contain non-ASCII. Pieces are cut at ASCII white
// space that is followed by ASCII, where both normalisation and word rules start anew. From a word on that a
// control character follows, ICU gets ASCII, too.
#include "tokenizer/words.h"

#include <unicode/brkiter.h>
#include <unicode/unistr.h>
#include <unicode/utf8.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>

#include "tokenizer/ascii.h"
#include "tokenizer/unseen_characters.h"
#include "tokenizer/word_mask.h"
#include "tokenizer/word_text.h"

namespace thresher::tokenizer {
namespace {

constexpr size_t kWordBytes = 64;
constexpr size_t kRunLength = 3;
// A piece for ICU continues over shorter ASCII than this, so that text in accented Latin is not split into
// many small pieces.
constexpr size_t kBridge = 32;
// ICU's lengths have 32 bits. No message is nearly as long.
constexpr size_t kMaxText = size_t{1} << 29;
constexpr size_t kNoRun = SIZE_MAX;

// From kControl on: what may not end a word that stands before it.
enum ByteClass : uint8_t {
  kOther,
  kLetter,
  kDigit,
  kUnderscore,
  kRun,
  kControl,
  kQuoteOrDot,
  kCommaOrSemicolon
};

constexpr std::array<ByteClass, 256> kClasses = [] {
  std::array<ByteClass, 256> classes{};
  for (size_t c = 0; c < 0x80; ++c) classes[c] = IsControl(static_cast<UChar32>(c)) ? kControl : kOther;
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
  if (joint < kQuoteOrDot || i + 1 == text.size()) return false;
  const ByteClass side = ClassOf(text[i - 1]);
  if (ClassOf(text[i + 1]) != side) return false;
  return side == kDigit || (side == kLetter && joint == kQuoteOrDot);
}

size_t EndOfRun(std::string_view text, size_t begin) {
  const size_t end = text.find_first_not_of(text[begin], begin);
  return end == std::string_view::npos ? text.size() : end;
}

// Whether a control character follows a word that ends before text[i], or a sign behind the word.
bool IsBeforeControl(std::string_view text, size_t i) {
  return ClassOf(text[i]) == kControl || (i + 1 < text.size() && ClassOf(text[i + 1]) == kControl);
}

// Appends the words of `text` up to the first that may go on behind a control character. Returns where that
// begins, or the text's size. REQUIRES: it is ASCII in lower case, and is at `offset` in the buffer.
size_t ScanAscii(std::string_view text, size_t offset, WordMask* mask, std::vector<Range>* words) {
  mask->Assign(text);
  for (size_t begin = mask->Begin(0); begin < text.size();) {
    const bool is_run = ClassOf(text[begin]) == kRun;
    size_t end = is_run ? EndOfRun(text, begin) : mask->End(begin);
    while (end < text.size() && ClassOf(text[end]) >= kControl) {
      if (IsBeforeControl(text, end)) return begin;
      if (!Joins(text, end)) break;
      end = mask->End(end + 1);
    }
    // ICU treats a single underscore as punctuation.
    if (end - begin > 1 || text[begin] != '_')
      words->push_back({offset + begin, std::min(end - begin, is_run ? kRunLength : kWordBytes)});
    begin = mask->Begin(end);
  }
  return text.size();
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
    iterator_.reset(icu::BreakIterator::createWordInstance(icu::Locale::getRoot(), status));
  }

  // Appends the normalised text to *buffer and its words to *words. Returns whether a control character was
  // between two letters.
  bool Append(std::string_view utf8, std::string* buffer, std::vector<Range>* words) {
    // If ICU's data is not installed, only ASCII is split.
    if (!text_.IsReady() || iterator_ == nullptr) return false;
    text_.Assign(utf8);
    run_end_ = kNoRun;
    iterator_->setText(text_.Get());
    int32_t begin = iterator_->first();
    for (int32_t end = iterator_->next(); end != icu::BreakIterator::DONE; end = iterator_->next()) {
      AppendSegment(begin, end, iterator_->getRuleStatus() >= UBRK_WORD_NONE_LIMIT, buffer, words);
      begin = end;
    }
    return text_.HadControlInWord();
  }

 private:
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
    const char16_t* units = text_.Get().getBuffer();
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
  WordText text_;
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
      const size_t scanned = AppendAscii(text.substr(0, piece));
      const size_t end = EndOfPiece(text, ascii);
      if (end > scanned) AppendByIcu(text.substr(scanned, end - scanned));
      text.remove_prefix(end);
    }
    return Words();
  }

  const std::vector<std::string_view>& SplitByIcu(std::string_view text) {
    Clear();
    AppendByIcu(text.substr(0, kMaxText));
    return Words();
  }

  bool HadControlInWord() const { return had_control_in_word_; }

 private:
  // Made when it is needed: a process that reads one message in ASCII would spend a fifth of a millisecond on
  // ICU's data.
  IcuWords& Icu() { return icu_ ? *icu_ : icu_.emplace(); }

  void Clear() {
    buffer_.clear();
    ranges_.clear();
    had_control_in_word_ = false;
  }

  // Returns how much of `text` was scanned.
  size_t AppendAscii(std::string_view text) {
    const size_t offset = buffer_.size();
    AppendLowerAscii(text, &buffer_);
    return ScanAscii(std::string_view(buffer_).substr(offset), offset, &mask_, &ranges_);
  }

  void AppendByIcu(std::string_view text) {
    if (Icu().Append(text, &buffer_, &ranges_)) had_control_in_word_ = true;
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
  bool had_control_in_word_ = false;
};

WordSplitter::WordSplitter() : impl_(std::make_unique<Impl>()) {}
WordSplitter::~WordSplitter() = default;
WordSplitter::WordSplitter(WordSplitter&&) noexcept = default;
WordSplitter& WordSplitter::operator=(WordSplitter&&) noexcept = default;

const std::vector<std::string_view>& WordSplitter::Split(std::string_view utf8) { return impl_->Split(utf8); }

const std::vector<std::string_view>& WordSplitter::SplitByIcu(std::string_view utf8) {
  return impl_->SplitByIcu(utf8);
}

bool WordSplitter::HadControlInWord() const { return impl_->HadControlInWord(); }

}  // namespace thresher::tokenizer
