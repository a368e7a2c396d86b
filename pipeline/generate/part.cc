#include "pipeline/generate/part.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <utility>

#include "pipeline/generate/prose.h"

namespace thresher::pipeline::synthetic {
namespace {

constexpr std::string_view kDigits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
constexpr std::string_view kHex = "0123456789ABCDEF";

constexpr size_t kBase64Line = 57;  // bytes that make 76 characters
constexpr size_t kQuotedLine = 75;  // without the "=" of a soft line end

std::string_view NameOf(Transfer transfer) {
  switch (transfer) {
    case Transfer::k7Bit:
      return "7bit";
    case Transfer::k8Bit:
      return "8bit";
    case Transfer::kQuotedPrintable:
      return "quoted-printable";
    case Transfer::kBase64:
      return "base64";
  }
  return "";
}

void AppendBase64(std::string_view bytes, std::string& out) {
  for (size_t i = 0; i < bytes.size(); i += 3) {
    const size_t count = std::min<size_t>(3, bytes.size() - i);
    uint32_t group = 0;
    for (size_t k = 0; k < 3; ++k)
      group = group << 8 | (k < count ? static_cast<unsigned char>(bytes[i + k]) : 0U);
    for (size_t k = 0; k < 4; ++k) out += k <= count ? kDigits[group >> (18 - 6 * k) & 63] : '=';
  }
}

void AppendQuotedPrintable(std::string_view text, std::string& out) {
  size_t column = 0;
  for (size_t i = 0; i < text.size(); ++i) {
    const auto c = static_cast<unsigned char>(text[i]);
    if (c == '\n') {
      out += '\n';
      column = 0;
      continue;
    }
    const bool ends_line = i + 1 == text.size() || text[i + 1] == '\n';
    const bool plain = c > ' ' && c < 0x7f && c != '=';
    const bool as_is = plain || (c == ' ' && !ends_line);
    if (column + (as_is ? 1 : 3) > kQuotedLine) {
      out += "=\n";
      column = 0;
    }
    if (as_is) {
      out += text[i];
    } else {
      out += '=';
      out += kHex[c >> 4];
      out += kHex[c & 15];
    }
    column += as_is ? 1 : 3;
  }
}

void AppendEncoded(const Part& part, std::string& out) {
  switch (part.transfer) {
    case Transfer::k7Bit:
    case Transfer::k8Bit:
      out += part.content;
      break;
    case Transfer::kQuotedPrintable:
      AppendQuotedPrintable(part.content, out);
      break;
    case Transfer::kBase64:
      for (size_t i = 0; i < part.content.size(); i += kBase64Line) {
        if (i > 0) out += '\n';
        AppendBase64(std::string_view(part.content).substr(i, kBase64Line), out);
      }
      break;
  }
  if (!out.ends_with('\n')) out += '\n';
}

// Boundaries in the forms of mail programs; none occurs in a body by chance.
std::string Boundary(Random& random) {
  const size_t form = random.Below(4);
  const std::string code = Code(16, random);
  switch (form) {
    case 0:
      return "----=_NextPart_000_" + code;
    case 1:
      return "------------0" + code;
    case 2:
      return "=_" + code;
    default:
      return "Apple-Mail-" + code;
  }
}

// The first bytes of files of a type.
std::string_view Magic(std::string_view type) {
  if (type == "image/jpeg") return {"\xff\xd8\xff\xe0\x00\x10JFIF\x00", 11};
  if (type == "image/gif") return "GIF89a";
  if (type == "image/png") return "\x89PNG\r\n\x1a\n";
  if (type == "application/pdf") return "%PDF-1.4\n";
  if (type == "application/zip") return "PK\x03\x04";
  return "";
}

}  // namespace

Part Multipart(std::string_view subtype, std::vector<Part> parts) {
  return {.type = fmt::format("multipart/{}", subtype), .parts = std::move(parts)};
}

Part Attachment(std::string_view type, std::string_view name, size_t bytes, Random& random) {
  Part part = {.type = fmt::format("{}; name=\"{}\"", type, name),
               .transfer = Transfer::kBase64,
               .more_headers = fmt::format("Content-Disposition: attachment; filename=\"{}\"\n", name),
               .content = std::string(Magic(type))};
  while (part.content.size() < bytes) {
    for (uint64_t eight = random.Next(), k = 0; k < 8; ++k, eight >>= 8)
      part.content += static_cast<char>(eight & 255);
  }
  return part;
}

void AppendPart(const Part& part, Random& random, std::string& out) {
  const auto append = std::back_inserter(out);
  if (part.parts.empty()) {
    fmt::format_to(append, "Content-Type: {}\nContent-Transfer-Encoding: {}\n{}\n", part.type,
                   NameOf(part.transfer), part.more_headers);
    AppendEncoded(part, out);
    return;
  }
  const std::string boundary = Boundary(random);
  fmt::format_to(append, "Content-Type: {};\n\tboundary=\"{}\"\n{}\n", part.type, boundary,
                 part.more_headers);
  if (random.Chance(0.6)) out += "This is a multi-part message in MIME format.\n";
  for (const Part& child : part.parts) {
    fmt::format_to(append, "\n--{}\n", boundary);
    AppendPart(child, random, out);
  }
  fmt::format_to(append, "\n--{}--\n", boundary);
}

std::string Base64(std::string_view bytes) {
  std::string out;
  AppendBase64(bytes, out);
  return out;
}

}  // namespace thresher::pipeline::synthetic
