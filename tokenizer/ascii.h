// ASCII: classes of bytes, letter case, white space and hexadecimal digits, independent of the locale.
//
// Called by the tokenizer for every text, and by pipeline for its own parsing. Thread-safety: pure functions.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>

namespace thresher::tokenizer {

constexpr bool IsAscii(char c) { return static_cast<unsigned char>(c) < 0x80; }
constexpr bool IsAsciiLetter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
constexpr bool IsAsciiDigit(char c) { return c >= '0' && c <= '9'; }
constexpr bool IsAsciiWordByte(char c) { return IsAsciiLetter(c) || IsAsciiDigit(c); }
// Space, tab, LF, VT, FF, CR.
constexpr bool IsAsciiSpace(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }

// A set of bytes. Of each byte of a text, one look-up in a table says whether it is in the set.
class ByteSet {
 public:
  constexpr explicit ByteSet(std::string_view bytes) {
    for (const char c : bytes) is_in_[static_cast<unsigned char>(c)] = true;
  }
  constexpr bool Has(char c) const { return is_in_[static_cast<unsigned char>(c)]; }

 private:
  std::array<bool, 256> is_in_{};
};

// Unlike std::tolower, independent of the locale, which must not change features.
constexpr char ToLowerAscii(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; }

inline constexpr std::string_view kHexDigits = "0123456789abcdef";

// The value of a hexadecimal digit of either case, or -1.
constexpr int HexValue(char c) {
  if (IsAsciiDigit(c)) return c - '0';
  const char lower = ToLowerAscii(c);
  return lower >= 'a' && lower <= 'f' ? lower - 'a' + 10 : -1;
}

// Appends the byte that the hexadecimal digits text[i] and text[i + 1] stand for. False, with nothing
// appended, if they are not two such digits.
inline bool AppendHexByte(std::string_view text, size_t i, std::string* out) {
  if (i + 1 >= text.size() || HexValue(text[i]) < 0 || HexValue(text[i + 1]) < 0) return false;
  out->push_back(static_cast<char>(HexValue(text[i]) * 16 + HexValue(text[i + 1])));
  return true;
}

// `text` without ASCII white space at its ends.
constexpr std::string_view Trim(std::string_view text) {
  while (!text.empty() && IsAsciiSpace(text.front())) text.remove_prefix(1);
  while (!text.empty() && IsAsciiSpace(text.back())) text.remove_suffix(1);
  return text;
}

// The number of ASCII bytes at the start of `text`. Reads 32 bytes at a time: most text of mail is ASCII, and
// ASCII needs no ICU.
inline size_t AsciiPrefix(std::string_view text) {
  size_t i = 0;
  for (uint64_t block[4]; i + sizeof(block) <= text.size(); i += sizeof(block)) {
    std::memcpy(block, text.data() + i, sizeof(block));
    if (((block[0] | block[1] | block[2] | block[3]) & 0x8080808080808080u) != 0) break;
  }
  while (i < text.size() && IsAscii(text[i])) ++i;
  return i;
}

// Appends `text` with its ASCII letters in lower case.
inline void AppendLowerAscii(std::string_view text, std::string* out) {
  const size_t begin = out->size();
  out->append(text);
  char* const bytes = out->data() + begin;  // so that the compiler knows that the loop does not change it
  for (size_t i = 0; i < text.size(); ++i) bytes[i] = ToLowerAscii(bytes[i]);
}

inline std::string LowerAscii(std::string_view text) {
  std::string lower;
  AppendLowerAscii(text, &lower);
  return lower;
}

// At most the first `most` bytes of `text`, with '?' for each that is no printable ASCII: for messages about
// text that anybody may have sent.
inline std::string PrintableAscii(std::string_view text, size_t most) {
  std::string printable(text.substr(0, most));
  std::replace_if(
      printable.begin(), printable.end(), [](char c) { return c < ' ' || c > '~'; }, '?');
  return printable;
}

// Whether the two are equal if the case of ASCII letters is ignored.
inline bool EqualsIgnoringCase(std::string_view a, std::string_view b) {
  if (a.size() != b.size()) return false;
  for (size_t i = 0; i < a.size(); ++i) {
    if (ToLowerAscii(a[i]) != ToLowerAscii(b[i])) return false;
  }
  return true;
}

// Where `word`, which is in lower case, begins in `text` in any case; the size of `text` if it does not
// occur.
inline size_t FindIgnoringCase(std::string_view text, std::string_view word) {
  const auto* const found = std::search(text.begin(), text.end(), word.begin(), word.end(),
                                        [](char a, char b) { return ToLowerAscii(a) == b; });
  return static_cast<size_t>(found - text.begin());
}

// Whether `word`, which is in lower case, occurs in `text` in any case.
inline bool ContainsIgnoringCase(std::string_view text, std::string_view word) {
  return FindIgnoringCase(text, word) != text.size() || word.empty();
}

inline bool StartsWithIgnoringCase(std::string_view text, std::string_view prefix) {
  return text.size() >= prefix.size() && EqualsIgnoringCase(text.substr(0, prefix.size()), prefix);
}

}  // namespace thresher::tokenizer
