// A message as lines of header and a body, without MIME: enough to drop what is not the message's own,
// to find its Message-ID, and to put a header of ours into it.
//
// Called by the tokenizer before anything else, and by the pipeline's filter and message keys.
// Thread-safety: pure functions. Total: any bytes are safe.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace thresher::tokenizer {

// One header with its continuation lines, as it stands in the message, line ends included; or one line of the
// head that is no header (no colon, or a continuation of nothing): that has an empty name and value.
struct HeaderField {
  std::string_view name;   // without the colon
  std::string_view value;  // after the colon, folded lines as they stand, without the last line end
  std::string_view bytes;  // all of it
};

// Views into the message, which is exactly from_line + the fields' bytes in order + rest.
//
// The head ends at the first empty line, or at a line that is no header while none but ours has come: a
// message without headers is all body, also when our header was put before it.
struct MessageHead {
  std::string_view from_line;  // mbox "From " and ">From " lines at the top, with their line ends
  std::vector<HeaderField> fields;
  std::string_view rest;      // the empty line and the body
  std::string_view body;      // without the empty line
  std::string_view line_end;  // "\r\n" or "\n": what the message's first line ends in ("\n" for one without)
};

MessageHead ParseHead(std::string_view message);

// What stands of `rest` without our headers among its first lines, up to an empty one. There are such where
// the first line is no header: all is body then, but other readers of mail pass over that line and take the
// next for headers. A view of `rest` or, if something had to go, of *buffer.
std::string_view WithoutOwnLines(std::string_view rest, std::string* buffer);

// Whether a header of this name is one that thresher writes: X-Thresher*.
bool IsOwnHeader(std::string_view name);

// Whether `name` matches one of `patterns` (case ignored, a trailing * matches any ending).
bool MatchesHeader(std::string_view name, std::span<const std::string> patterns);

// The first `limit` bytes of the message without its From line, X-Thresher* headers and those that match
// `ignored`. Replaces *out; false if the limit cut it.
bool KeepOwnBytes(std::string_view message, std::span<const std::string> ignored, std::string* out,
                  size_t limit = std::string_view::npos);

// What feedback finds a message by. Two copies of a message have the same key whatever their line ends,
// trailing blank lines and delivery headers; a copied Message-ID on another body has another one.
struct MessageKey {
  std::string
      message_id;      // without <>; at most 255 bytes (longer ones keep a prefix and a digest); may be empty
  std::string digest;  // 16 hex digits: XXH3-64 of the body

  friend bool operator==(const MessageKey&, const MessageKey&) = default;
};

MessageKey KeyOf(std::string_view message);

}  // namespace thresher::tokenizer
