#include "tests/pipeline/generate/simple_mail.h"

#include <unicode/ucnv.h>
#include <unicode/unistr.h>

#include <algorithm>
#include <optional>

namespace thresher::pipeline {
namespace {

std::optional<std::string> FromBase64(std::string_view text) {
  static constexpr std::string_view kDigits =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string out;
  uint32_t group = 0;
  size_t digits = 0;
  size_t padding = 0;
  for (const char c : text) {
    if (c == '\n') continue;
    const size_t value = c == '=' ? 0 : kDigits.find(c);
    if (value == std::string_view::npos || (padding > 0 && c != '=')) return std::nullopt;
    if (c == '=') ++padding;
    group = group << 6 | static_cast<uint32_t>(value);
    if (++digits % 4 != 0) continue;
    for (const int shift : {16, 8, 0}) out += static_cast<char>(group >> shift & 255);
  }
  if (digits % 4 != 0 || padding > 2) return std::nullopt;
  out.resize(out.size() - padding);
  return out;
}

std::optional<std::string> FromQuotedPrintable(std::string_view text) {
  static constexpr std::string_view kHex = "0123456789ABCDEF";
  std::string out;
  for (size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '=') {
      out += text[i];
    } else if (text.substr(i, 2) == "=\n") {
      ++i;
    } else {
      if (i + 2 >= text.size()) return std::nullopt;
      const size_t high = kHex.find(text[i + 1]);
      const size_t low = kHex.find(text[i + 2]);
      if (high == std::string_view::npos || low == std::string_view::npos) return std::nullopt;
      out += static_cast<char>(high * 16 + low);
      i += 2;
    }
  }
  return out;
}

// The value of a parameter, in quotes or bare.
std::string Parameter(std::string_view value, std::string_view name) {
  const size_t at = value.find(std::string(name) + "=");
  if (at == std::string_view::npos) return "";
  value.remove_prefix(at + name.size() + 1);
  const bool quoted = value.starts_with('"');
  if (quoted) value.remove_prefix(1);
  return std::string(value.substr(0, value.find(quoted ? '"' : ';')));
}

void ReadPart(std::string_view bytes, SimpleMail& mail);

void ReadLeaf(std::string_view head, std::string_view body, std::string_view content_type, SimpleMail& mail) {
  const std::string transfer = HeaderOf(head, "Content-Transfer-Encoding");
  std::optional<std::string> content(body);
  if (transfer == "base64") content = FromBase64(body);
  if (transfer == "quoted-printable") content = FromQuotedPrintable(body);
  if (!content) {
    mail.error = "malformed " + transfer;
    return;
  }
  if (transfer == "7bit" && std::any_of(body.begin(), body.end(), [](char c) { return (c & 0x80) != 0; })) {
    mail.error = "a 7bit part has more bits";
  }
  const std::string type(content_type.substr(0, content_type.find(';')));
  mail.parts.push_back({type, Parameter(content_type, "charset"), *content});
}

// Children are between delimiter lines; the last delimiter is the closing one and nothing comes after it.
void ReadChildren(std::string_view body, const std::string& boundary, SimpleMail& mail) {
  const std::string delimiter = "\n--" + boundary;
  std::string padded = "\n" + std::string(body);
  size_t at = padded.find(delimiter);
  if (at == std::string::npos) mail.error = "boundary never opens";
  while (at != std::string::npos && mail.error.empty()) {
    const std::string_view rest = std::string_view(padded).substr(at + delimiter.size());
    if (rest.starts_with("--\n")) {
      if (rest.find_first_not_of('\n', 2) != std::string_view::npos)
        mail.error = "text after the last boundary";
      return;
    }
    const size_t next = padded.find(delimiter, at + 1);
    if (!rest.starts_with('\n') || next == std::string::npos) mail.error = "boundary does not close";
    const size_t start = at + delimiter.size() + 1;
    if (mail.error.empty()) ReadPart(std::string_view(padded).substr(start, next - start), mail);
    at = next;
  }
}

void ReadPart(std::string_view bytes, SimpleMail& mail) {
  const size_t blank = bytes.find("\n\n");
  if (blank == std::string_view::npos) {
    mail.error = "no blank line after the headers";
    return;
  }
  const std::string_view head = bytes.substr(0, blank + 1);
  const std::string_view body = bytes.substr(blank + 2);
  const std::string type = HeaderOf(head, "Content-Type");
  if (type.starts_with("multipart/")) return ReadChildren(body, Parameter(type, "boundary"), mail);
  ReadLeaf(head, body, type, mail);
}

}  // namespace

SimpleMail ReadSimpleMail(std::string_view bytes) {
  SimpleMail mail;
  mail.head = bytes.substr(0, bytes.find("\n\n") + 1);
  ReadPart(bytes, mail);
  return mail;
}

std::string HeaderOf(std::string_view head, std::string_view name) {
  const std::string start = "\n" + std::string(name) + ": ";
  const std::string padded = "\n" + std::string(head);
  const size_t at = padded.find(start);
  if (at == std::string::npos) return "";
  size_t end = padded.find('\n', at + start.size());
  while (end + 1 < padded.size() && (padded[end + 1] == ' ' || padded[end + 1] == '\t')) {
    end = padded.find('\n', end + 1);
  }
  return padded.substr(at + start.size(), end - at - start.size());
}

bool DecodeStrictly(std::string_view bytes, const std::string& charset, std::string& utf8) {
  UErrorCode error = U_ZERO_ERROR;
  UConverter* converter = ucnv_open(charset.c_str(), &error);
  ucnv_setToUCallBack(converter, UCNV_TO_U_CALLBACK_STOP, nullptr, nullptr, nullptr, &error);
  icu::UnicodeString text(bytes.data(), static_cast<int32_t>(bytes.size()), converter, error);
  ucnv_close(converter);
  text.toUTF8String(utf8);
  return U_SUCCESS(error) && text.indexOf(char16_t{0xfffd}) < 0 && text.indexOf(char16_t{0x1a}) < 0;
}

bool DecodeHeaderStrictly(std::string_view value, std::string& utf8) {
  size_t begin = value.find("=?");
  while (begin != std::string_view::npos) {
    const size_t charset_end = value.find('?', begin + 2);
    const size_t end = value.find("?=", charset_end + 3);
    if (end == std::string_view::npos || value.substr(charset_end, 3) != "?B?" || end + 2 - begin > 75)
      return false;
    const auto bytes = FromBase64(value.substr(charset_end + 3, end - charset_end - 3));
    const std::string charset(value.substr(begin + 2, charset_end - begin - 2));
    if (!bytes || !DecodeStrictly(*bytes, charset, utf8)) return false;
    begin = value.find("=?", end + 2);
  }
  return true;
}

}  // namespace thresher::pipeline
