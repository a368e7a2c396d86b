// A message split into its From line, header fields and body, without MIME.
//
// Used by the tokenizer to drop headers that other programs added and to read the rest; by message_key.h to
// identify a message; by pipeline/delivery to find its sender. Thresher's own headers are removed before
// (thresher_headers.h). Thread-safety: pure functions. Accepts any bytes.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "tokenizer/header_patterns.h"

namespace thresher::tokenizer {

// The headers that say how a body or a part is to be read, in lower case.
inline constexpr std::array<std::string_view, 3> kHeadersOfBody = {"content-type", "content-disposition",
                                                                   "content-transfer-encoding"};

// One header field as it stands in the message, with its continuation lines and line ends. A line of the head
// that is no header (without a colon, or a continuation of nothing) is a field with an empty name and value.
struct HeaderField {
  std::string_view name;   // without the colon
  std::string_view value;  // after the colon; folded lines as they stand, without the last line end
  std::string_view bytes;  // the whole field
};

// Views into the message, which is exactly from_line + the fields' bytes in order + rest, unless is_cut.
//
// The head ends at the first empty line. A line that is no header also ends it as long as no header has come:
// a message without headers is all body.
struct MessageHead {
  std::string_view from_line;  // mbox "From " and ">From " lines at the top, with their line ends
  std::vector<HeaderField> fields;
  bool is_cut = false;    // fields, or parts of values, are missing because of the limit
  std::string_view rest;  // the empty line and the body
  std::string_view body;  // without the empty line
};

// Replaces *head. Fields beyond `limit` bytes in all are left out, but for the first Content-Type,
// Content-Disposition and Content-Transfer-Encoding, of whose values that many bytes are kept. The views hold
// as long as the message; the memory of head->fields is reused.
void ParseHead(std::string_view message, size_t limit, MessageHead* head);

// The same, without a limit.
MessageHead ParseHead(std::string_view message);

// Replaces *out by the first `limit` bytes of the message without its From line and headers that match
// `ignored`. Returns false if the limit cut it.
bool KeepOwnBytes(std::string_view message, const HeaderPatterns& ignored, std::string* out,
                  size_t limit = std::string_view::npos);

}  // namespace thresher::tokenizer
