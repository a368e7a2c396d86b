// How the charset is chosen:
//  1. With a byte order mark of UTF-16 it is that, unless most of the text would be ASCII bytes in pairs.
//  2. ASCII bytes are ASCII, unless the declared charset encodes text as ASCII bytes (ISO-2022-*, HZ, UTF-7,
//     UTF-16).
//  3. Valid UTF-8 is UTF-8, unless a multi-byte charset is declared and decodes it without error.
//  4. Otherwise the declared charset, replaced by what mail programs mean by it (GB18030 for GB2312, and
//     windows-1252 for ISO-8859-1), unless it is unknown, is ASCII, or fails on more than a tenth of the
//     non-ASCII bytes. UTF-8 is believed also then if what is right is of one script: mail programs obey the
//     name, and wrong bytes may stand where nobody sees them.
//  5. Otherwise the detected charset.
#include "tokenizer/charset.h"

#include <unicode/ucnv.h>

#include <algorithm>
#include <array>
#include <unordered_map>
#include <utility>

#include "tokenizer/ascii.h"
#include "tokenizer/charset_detection.h"
#include "tokenizer/encoded_words.h"
#include "tokenizer/utf8.h"

namespace thresher::tokenizer {
namespace {

constexpr size_t kNameBytes = 40;
constexpr size_t kCachedConverters = 64;
constexpr size_t kPivotUnits = 1024;

struct CloseConverter {
  void operator()(UConverter* converter) const { ucnv_close(converter); }
};
using Converter = std::unique_ptr<UConverter, CloseConverter>;

// The charset that is used instead of a declared one; empty: the declaration is ignored. Browsers know all of
// these names (the WHATWG's Encoding Standard), and most of them mean by them what they mean here.
struct Alias {
  std::string_view declared;
  std::string_view meant;
};
constexpr auto kAliases = std::to_array<Alias>({
    {"gb2312", "gb18030"},
    {"gb_2312", "gb18030"},
    {"gb_2312-80", "gb18030"},
    {"gb2312-80", "gb18030"},
    {"csgb2312", "gb18030"},
    {"csiso58gb231280", "gb18030"},
    {"iso-ir-58", "gb18030"},
    {"chinese", "gb18030"},
    {"euc-cn", "gb18030"},
    {"x-euc-cn", "gb18030"},
    {"cn-gb", "gb18030"},
    {"gbk", "gb18030"},
    {"x-gbk", "gb18030"},
    {"cp936", "gb18030"},
    {"windows-936", "gb18030"},
    {"big5", "big5-hkscs"},
    {"cn-big5", "big5-hkscs"},
    {"csbig5", "big5-hkscs"},
    {"x-x-big5", "big5-hkscs"},
    {"euc-kr", "windows-949"},
    {"cseuckr", "windows-949"},
    {"cp949", "windows-949"},
    {"uhc", "windows-949"},
    {"iso-8859-1", "windows-1252"},
    {"iso8859-1", "windows-1252"},
    {"iso88591", "windows-1252"},
    {"iso_8859-1", "windows-1252"},
    {"iso_8859-1:1987", "windows-1252"},
    {"iso-ir-100", "windows-1252"},
    {"csisolatin1", "windows-1252"},
    {"latin1", "windows-1252"},
    {"l1", "windows-1252"},
    {"cp819", "windows-1252"},
    {"ibm819", "windows-1252"},
    {"csiso88596e", "iso-8859-6"},
    {"csiso88596i", "iso-8859-6"},
    {"csiso88598e", "iso-8859-8"},
    {"visual", "iso-8859-8"},
    {"iso-8859-8-i", "windows-1255"},
    {"csiso88598i", "windows-1255"},
    {"logical", "windows-1255"},
    {"iso-8859-9", "windows-1254"},
    {"iso8859-9", "windows-1254"},
    {"iso88599", "windows-1254"},
    {"iso_8859-9", "windows-1254"},
    {"iso_8859-9:1989", "windows-1254"},
    {"iso-ir-148", "windows-1254"},
    {"csisolatin5", "windows-1254"},
    {"latin5", "windows-1254"},
    {"l5", "windows-1254"},
    {"iso-8859-11", "windows-874"},
    {"iso8859-11", "windows-874"},
    {"iso885911", "windows-874"},
    {"dos-874", "windows-874"},
    {"koi", "koi8-r"},
    {"koi8-ru", "koi8-u"},
    {"x-mac-ukrainian", "x-mac-cyrillic"},
    {"us-ascii", ""},
    {"ascii", ""},
    {"ansi_x3.4-1968", ""},
    {"utf8", "utf-8"},
});

// Other characters in a name could make ICU open files or read options.
bool IsPlainName(std::string_view name) {
  return !name.empty() && name.size() <= kNameBytes && std::all_of(name.begin(), name.end(), [](char c) {
    return IsAsciiWordByte(c) || c == '-' || c == '_' || c == '.' || c == ':';
  });
}

enum class CharsetKind {
  kUnknown,
  kUtf8,
  kSingleByte,
  kMultiByte,  // ASCII bytes are ASCII, except as second byte of a character
  kSevenBit,   // other characters are encoded as ASCII bytes
  kWide,       // UTF-16, UTF-32
  kUtf16,      // in the order that a byte order mark says
};

// Whether ASCII bytes stand for themselves (in EBCDIC they do not).
bool KeepsAscii(UConverter* converter) {
  constexpr std::string_view kProbe = "AZaz09.";
  std::array<char16_t, 16> units{};
  UErrorCode status = U_ZERO_ERROR;
  const int32_t size = ucnv_toUChars(converter, units.data(), static_cast<int32_t>(units.size()),
                                     kProbe.data(), static_cast<int32_t>(kProbe.size()), &status);
  return U_SUCCESS(status) && std::equal(kProbe.begin(), kProbe.end(), units.begin(), units.begin() + size);
}

CharsetKind KindOf(UConverter* converter) {
  switch (ucnv_getType(converter)) {
    case UCNV_UTF8:
      return CharsetKind::kUtf8;
    case UCNV_SBCS:
    case UCNV_LATIN_1:
      return KeepsAscii(converter) ? CharsetKind::kSingleByte : CharsetKind::kUnknown;
    case UCNV_MBCS:
      return KeepsAscii(converter) ? CharsetKind::kMultiByte : CharsetKind::kUnknown;
    case UCNV_ISO_2022:
    case UCNV_HZ:
    case UCNV_UTF7:
      return CharsetKind::kSevenBit;
    case UCNV_UTF16:
      return CharsetKind::kUtf16;
    case UCNV_UTF16_BigEndian:
    case UCNV_UTF16_LittleEndian:
    case UCNV_UTF32:
    case UCNV_UTF32_BigEndian:
    case UCNV_UTF32_LittleEndian:
      return CharsetKind::kWide;
    default:
      return CharsetKind::kUnknown;  // not used in mail
  }
}

// UTF-16 without a byte order mark: big-endian if only first bytes are NUL. Else it is that of browsers.
std::string_view Utf16InOrderOf(std::string_view bytes) {
  std::array<size_t, 2> nuls{};
  for (size_t i = 0; i < bytes.size(); ++i) nuls[i % 2] += bytes[i] == '\0' ? 1 : 0;
  return nuls[0] > 0 && nuls[1] == 0 ? "utf-16be" : "utf-16le";
}

struct Charset {
  Converter converter;
  CharsetKind kind = CharsetKind::kUnknown;
};

size_t CountNonAscii(std::string_view bytes) {
  return static_cast<size_t>(std::count_if(bytes.begin(), bytes.end(), [](char c) { return !IsAscii(c); }));
}

size_t CountReplaced(std::string_view utf8) {
  size_t count = 0;
  for (size_t i = 0; (i = utf8.find(kReplacement, i)) != std::string_view::npos; i += kReplacement.size()) {
    ++count;
  }
  return count;
}

}  // namespace

class CharsetConverter::Impl {
 public:
  Impl() {
    UErrorCode status = U_ZERO_ERROR;
    utf8_.reset(ucnv_open("UTF-8", &status));
  }

  // A part's text: as in browsers, a byte order mark counts more than a name, and is no text.
  std::string_view PartToUtf8(std::string_view bytes, std::string_view declared) {
    constexpr std::string_view kMark = "\xEF\xBB\xBF";
    if (!bytes.starts_with(kMark)) return ToUtf8(bytes, declared);
    return ToUtf8(bytes.substr(kMark.size()), "utf-8");
  }

  std::string_view ToUtf8(std::string_view bytes, std::string_view declared) {
    const size_t ascii = AsciiPrefix(bytes);
    const bool has_mark =
        (bytes.starts_with("\xFF\xFE") || bytes.starts_with("\xFE\xFF")) && MayBeUtf16(bytes);
    if (has_mark) declared = "utf-16";
    Charset* charset = declared.empty() ? nullptr : Find(declared);
    const CharsetKind kind = charset == nullptr ? CharsetKind::kUnknown : charset->kind;
    const bool is_wide = kind == CharsetKind::kWide || kind == CharsetKind::kUtf16;
    if (kind == CharsetKind::kSevenBit || (is_wide && bytes.find('\0') != std::string_view::npos)) {
      if (kind == CharsetKind::kUtf16 && !has_mark) charset = Find(Utf16InOrderOf(bytes));
      Convert(bytes, charset->converter.get());
      return text_;
    }
    if (ascii == bytes.size()) return bytes;
    const bool is_utf8 = IsValidUtf8(bytes.substr(ascii));
    if (is_utf8 && kind != CharsetKind::kMultiByte) return bytes;
    if (kind == CharsetKind::kUtf16 && !has_mark) charset = Find(Utf16InOrderOf(bytes));
    if (kind != CharsetKind::kUnknown) {
      Convert(bytes, charset->converter.get());
      const size_t replaced = CountReplaced(text_);
      if (replaced == 0) return text_;
      if (is_utf8) return bytes;
      const bool is_few = !is_wide && replaced * 10 <= CountNonAscii(bytes);
      if (is_few || (kind == CharsetKind::kUtf8 && IsOfOneScript(text_))) return text_;
    }
    return is_utf8 ? bytes : Detected(bytes);
  }

  bool IsOfPages(std::string_view name) {
    const CharsetKind kind = Find(name)->kind;
    return kind == CharsetKind::kUtf8 || kind == CharsetKind::kSingleByte ||
           kind == CharsetKind::kMultiByte || EqualsIgnoringCase(name, "iso-2022-jp") ||
           EqualsIgnoringCase(name, "csiso2022jp");
  }

  std::string_view DecodeHeader(std::string_view value) {
    if (value.find('\n') != std::string_view::npos || value.find('\r') != std::string_view::npos) {
      unfolded_.assign(value);
      std::erase_if(unfolded_, [](char c) { return c == '\r' || c == '\n'; });
      value = unfolded_;
    }
    if (!MayHoldEncodedWord(value)) return ToUtf8(value, {});
    header_.clear();
    ForEachHeaderPiece(value, [this](std::string_view bytes, std::string_view charset) {
      header_.append(ToUtf8(bytes, charset));
    });
    return header_;
  }

 private:
  std::string_view Detected(std::string_view bytes) {
    Charset* charset = Find(detector_.Detect(bytes));
    if (charset->converter == nullptr) charset = Find("windows-1252");
    Convert(bytes, charset->converter.get());
    return text_;
  }

  // The charset of that name; its converter is null if the name is unknown.
  Charset* Find(std::string_view declared) {
    name_.clear();
    AppendLowerAscii(declared.substr(0, kNameBytes + 1), &name_);
    const auto found = charsets_.find(name_);
    if (found != charsets_.end()) return &found->second;
    // Names come from messages, and a hostile sender must not fill memory with them.
    if (charsets_.size() >= kCachedConverters) charsets_.clear();
    return &charsets_.emplace(name_, Open(name_)).first->second;
  }

  static Charset Open(std::string name) {
    const auto* alias =
        std::find_if(kAliases.begin(), kAliases.end(), [&](const Alias& a) { return a.declared == name; });
    if (alias != kAliases.end()) name = alias->meant;
    Charset charset;
    if (!IsPlainName(name)) return charset;
    UErrorCode status = U_ZERO_ERROR;
    charset.converter.reset(ucnv_open(name.c_str(), &status));
    if (charset.converter != nullptr) charset.kind = KindOf(charset.converter.get());
    return charset;
  }

  // Sets text_ to `bytes` in UTF-8; to `bytes` unchanged without a converter (ICU's data is not installed).
  void Convert(std::string_view bytes, UConverter* from) {
    text_.clear();
    if (from == nullptr || utf8_ == nullptr) {
      text_.assign(bytes);
      return;
    }
    const char* source = bytes.data();
    char16_t* pivot_source = pivot_.data();
    char16_t* pivot_target = pivot_.data();
    UBool reset = 1;
    UErrorCode status = U_BUFFER_OVERFLOW_ERROR;
    for (size_t size = 0; status == U_BUFFER_OVERFLOW_ERROR; reset = 0) {
      // Twice the size is enough for most charsets; one-byte Thai needs three times.
      text_.resize(std::max(2 * bytes.size(), 2 * text_.size()) + UCNV_GET_MAX_BYTES_FOR_STRING(1, 4));
      char* target = text_.data() + size;
      status = U_ZERO_ERROR;
      ucnv_convertEx(utf8_.get(), from, &target, text_.data() + text_.size(), &source,
                     bytes.data() + bytes.size(), pivot_.data(), &pivot_source, &pivot_target,
                     pivot_.data() + pivot_.size(), reset, 1, &status);
      size = static_cast<size_t>(target - text_.data());
      if (status != U_BUFFER_OVERFLOW_ERROR) text_.resize(size);
    }
  }

  CharsetDetector detector_;
  Converter utf8_;
  std::unordered_map<std::string, Charset> charsets_;
  std::array<char16_t, kPivotUnits> pivot_{};
  std::string name_;
  std::string text_;
  std::string unfolded_;
  std::string header_;
};

CharsetConverter::CharsetConverter() : impl_(std::make_unique<Impl>()) {}
CharsetConverter::~CharsetConverter() = default;
CharsetConverter::CharsetConverter(CharsetConverter&&) noexcept = default;
CharsetConverter& CharsetConverter::operator=(CharsetConverter&&) noexcept = default;

std::string_view CharsetConverter::ToUtf8(std::string_view bytes, std::string_view declared) {
  return impl_->PartToUtf8(bytes, declared);
}

bool CharsetConverter::IsOfPages(std::string_view name) { return impl_->IsOfPages(name); }

std::string_view CharsetConverter::DecodeHeader(std::string_view value) { return impl_->DecodeHeader(value); }

}  // namespace thresher::tokenizer
