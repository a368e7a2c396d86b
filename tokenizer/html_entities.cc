#include "tokenizer/html_entities.h"

#include <unicode/utf8.h>

#include <algorithm>
#include <array>
#include <cstdint>

#include "tokenizer/ascii.h"
#include "tokenizer/html_entity_names.h"

namespace thresher::tokenizer {
namespace {

constexpr size_t kEntityNameBytes = 24;  // of the longest name, and more
constexpr size_t kBareEntityBytes = 6;   // of the longest name that may lack its semicolon
constexpr uint32_t kReplacementCharacter = 0xFFFD;

// Numbers 0x80 to 0x9F mean characters of windows-1252; 0 where it has none.
constexpr std::array<uint16_t, 32> kWindows1252 = {
    0x20AC, 0,      0x201A, 0x0192, 0x201E, 0x2026, 0x2020, 0x2021, 0x02C6, 0x2030, 0x0160,
    0x2039, 0x0152, 0,      0x017D, 0,      0,      0x2018, 0x2019, 0x201C, 0x201D, 0x2022,
    0x2013, 0x2014, 0x02DC, 0x2122, 0x0161, 0x203A, 0x0153, 0,      0x017E, 0x0178};

void AppendCharacter(uint32_t character, std::string* out) {
  if (character >= 0x80 && character < 0xA0 && kWindows1252[character - 0x80] != 0) {
    character = kWindows1252[character - 0x80];
  }
  if (character == 0 || character > 0x10FFFF || U_IS_SURROGATE(character)) character = kReplacementCharacter;
  std::array<char, U8_MAX_LENGTH> bytes{};
  size_t size = 0;
  U8_APPEND_UNSAFE(bytes, size, character);
  out->append(bytes.data(), size);
}

// "#65" or "#x41", with or without a semicolon.
size_t DecodeNumber(std::string_view text, std::string* out) {
  size_t i = 2;
  const bool is_hex = i < text.size() && ToLowerAscii(text[i]) == 'x';
  if (is_hex) ++i;
  const size_t digits = i;
  uint32_t character = 0;
  for (; i < text.size(); ++i) {
    const int digit = HexValue(text[i]);
    if (digit < 0 || (!is_hex && digit > 9)) break;
    character = std::min<uint32_t>(character * (is_hex ? 16 : 10) + static_cast<uint32_t>(digit), 0x110000);
  }
  if (i == digits) return 0;
  AppendCharacter(character, out);
  return i < text.size() && text[i] == ';' ? i + 1 : i;
}

// The character of that name, or null.
const HtmlNamedCharacter* FindCharacter(std::string_view name) {
  const auto* found = std::lower_bound(
      kHtmlNamedCharacters.begin(), kHtmlNamedCharacters.end(), name,
      [](const HtmlNamedCharacter& known, std::string_view wanted) { return known.name < wanted; });
  return found != kHtmlNamedCharacters.end() && found->name == name ? found : nullptr;
}

// The character with the longest bare name that `name` begins with, or null: "&shyword" is a soft hyphen.
const HtmlNamedCharacter* FindBareCharacter(std::string_view name) {
  for (size_t size = std::min(name.size(), kBareEntityBytes); size > 1; --size) {
    const HtmlNamedCharacter* found = FindCharacter(name.substr(0, size));
    if (found != nullptr && found->may_be_bare) return found;
  }
  return nullptr;
}

}  // namespace

size_t DecodeEntity(std::string_view text, EntityPlace place, std::string* out) {
  if (text.size() > 1 && text[1] == '#') return DecodeNumber(text, out);
  size_t end = 1;
  while (end < text.size() && end <= kEntityNameBytes && IsAsciiWordByte(text[end])) ++end;
  const std::string_view name = text.substr(1, end - 1);
  if (end < text.size() && text[end] == ';') {
    if (const HtmlNamedCharacter* named = FindCharacter(name)) {
      AppendCharacter(named->character, out);
      return end + 1;
    }
  }
  const HtmlNamedCharacter* bare = FindBareCharacter(name);
  if (bare == nullptr) return 0;
  const size_t size = 1 + bare->name.size();
  const bool goes_on = size < text.size() && (text[size] == '=' || IsAsciiWordByte(text[size]));
  if (place == EntityPlace::kAttribute && goes_on) return 0;
  AppendCharacter(bare->character, out);
  return size;
}

void AppendAttribute(std::string_view value, std::string* out) {
  while (!value.empty()) {
    const size_t plain = std::min(value.find('&'), value.size());
    out->append(value.substr(0, plain));
    value.remove_prefix(plain);
    if (value.empty()) return;
    const size_t size = DecodeEntity(value, EntityPlace::kAttribute, out);
    if (size == 0) out->push_back('&');
    value.remove_prefix(std::max<size_t>(size, 1));
  }
}

}  // namespace thresher::tokenizer
