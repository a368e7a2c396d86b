#include "pipeline/generate/charset.h"

#include <fmt/format.h>
#include <unicode/ucnv.h>
#include <unicode/unistr.h>

#include <algorithm>
#include <cassert>

#include "pipeline/generate/part.h"

namespace thresher::pipeline::synthetic {
namespace {

// Bytes of UTF-8 per encoded word: in every charset its Base64 is shorter than the 75 characters allowed.
constexpr size_t kWordBytes = 30;

bool IsAscii(std::string_view text) {
  return std::all_of(text.begin(), text.end(), [](char c) { return static_cast<unsigned char>(c) < 0x80; });
}

bool ContinuesCharacter(char c) { return (static_cast<unsigned char>(c) & 0xc0) == 0x80; }

}  // namespace

void CharsetEncoder::Close::operator()(UConverter* converter) const { ucnv_close(converter); }

std::string CharsetEncoder::Encode(std::string_view utf8, const std::string& charset) {
  if (charset == "utf-8" || charset == "us-ascii") return std::string(utf8);
  auto& converter = converters_[charset];
  UErrorCode error = U_ZERO_ERROR;
  if (!converter) converter.reset(ucnv_open(charset.c_str(), &error));
  assert(U_SUCCESS(error));
  const auto text =
      icu::UnicodeString::fromUTF8(icu::StringPiece(utf8.data(), static_cast<int32_t>(utf8.size())));
  std::string out(static_cast<size_t>(text.length()) * 8 + 16, '\0');  // escape sequences included
  const int32_t length = ucnv_fromUChars(converter.get(), out.data(), static_cast<int32_t>(out.size()),
                                         text.getBuffer(), text.length(), &error);
  out.resize(static_cast<size_t>(length));
  return out;
}

std::string CharsetEncoder::EncodeHeader(std::string_view utf8, const std::string& charset) {
  if (IsAscii(utf8)) return std::string(utf8);
  std::string out;
  while (!utf8.empty()) {
    size_t end = std::min(kWordBytes, utf8.size());
    while (end < utf8.size() && ContinuesCharacter(utf8[end])) --end;
    if (!out.empty()) out += "\n ";
    out += fmt::format("=?{}?B?{}?=", charset, Base64(Encode(utf8.substr(0, end), charset)));
    utf8.remove_prefix(end);
  }
  return out;
}

}  // namespace thresher::pipeline::synthetic
