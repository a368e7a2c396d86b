#include "tokenizer/transfer_decoder.h"

#include <gmime/gmime.h>

#include <algorithm>

#include "tokenizer/ascii.h"
#include "tokenizer/base64.h"
#include "tokenizer/quoted_printable.h"

namespace thresher::tokenizer {
namespace {

// What follows the "begin 644 name" line, which GMime's decoder does not skip; empty if there is no such
// line.
std::string_view AfterUuencodeHead(std::string_view raw) {
  size_t line = 0;
  while (line < raw.size() && !raw.substr(line).starts_with("begin ")) {
    line = std::min(raw.find('\n', line), raw.size() - 1) + 1;
  }
  return raw.substr(std::min(raw.find('\n', line), raw.size()));
}

// Whether what follows the padding of base64 is a list server's footer. Mail programs decode what goes on.
bool IsFooter(std::string_view rest) {
  constexpr size_t kLongest = 1024;
  if (rest.size() > kLongest) return false;
  rest.remove_prefix(std::min(rest.find_first_not_of("\r\n"), rest.size()));
  const std::string_view line = rest.substr(0, rest.find_first_of("\r\n"));
  return !std::all_of(line.begin(), line.end(),
                      [](char c) { return IsAsciiWordByte(c) || c == '+' || c == '/' || c == '='; });
}

}  // namespace

std::string_view TransferDecoder::Decode(const std::string& encoding, std::string_view raw, size_t limit) {
  decoded_.clear();
  switch (g_mime_content_encoding_from_string(encoding.c_str())) {
    case GMIME_CONTENT_ENCODING_BASE64:
      DecodeBase64(raw, limit);
      return decoded_;
    case GMIME_CONTENT_ENCODING_QUOTEDPRINTABLE:
      AppendQuotedPrintable(raw, std::min(limit, raw.size()) + 1, &decoded_);
      return decoded_;
    case GMIME_CONTENT_ENCODING_UUENCODE: {
      const std::string_view encoded = AfterUuencodeHead(raw);
      if (encoded.empty()) return raw;
      DecodeUuencoded(encoded, limit);
      return decoded_;
    }
    default:
      return raw;
  }
}

void TransferDecoder::DecodeBase64(std::string_view raw, size_t limit) {
  Base64Decoder decoder;
  for (size_t i = 0; i < raw.size() && decoded_.size() <= limit; ++i) {
    if (decoder.Add(raw[i], &decoded_) && IsFooter(raw.substr(i + 1))) break;
  }
  decoder.Finish(&decoded_);
}

void TransferDecoder::DecodeUuencoded(std::string_view raw, size_t limit) {
  constexpr size_t kStep = size_t{64} << 10;
  GMimeEncoding state;
  g_mime_encoding_init_decode(&state, GMIME_CONTENT_ENCODING_UUENCODE);
  state.state |= GMIME_UUDECODE_STATE_BEGIN;
  size_t size = 0;
  while (!raw.empty() && size <= limit) {
    const std::string_view step = raw.substr(0, kStep);
    raw.remove_prefix(step.size());
    decoded_.resize(size + g_mime_encoding_outlen(&state, step.size()));
    size += raw.empty() ? g_mime_encoding_flush(&state, step.data(), step.size(), decoded_.data() + size)
                        : g_mime_encoding_step(&state, step.data(), step.size(), decoded_.data() + size);
  }
  decoded_.resize(size);
}

}  // namespace thresher::tokenizer
