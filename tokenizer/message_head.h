// A message as lines of header and a body, without MIME: enough to drop what is not the message's own,
// to find its Message-ID, and to put a header of ours into it.
//
// Called by the tokenizer before anything else, and by the pipeline's filter and message keys.
// Thread-safety: pure functions. Total: any bytes are safe.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace thresher::tokenizer {

// One header with its continuation lines, as it stands in the message, line ends included.
struct HeaderField {
  std::string_view name;   // without the colon
  std::string_view value;  // after the colon, folded lines as they stand, without the last line end
  std::string_view bytes;  // all of it
};

// Views into the message. Any message can be put together again from these: from_line + fields' bytes (in
// order; what lies between them and is no header field belongs to the field before it, or to from_line) +
// rest.
struct MessageHead {
  std::string_view
      from_line;  // an mbox "From " line (or ">From "), with its line end; empty if there is none
  std::vector<HeaderField> fields;
  std::string_view rest;      // the empty line and the body
  std::string_view body;      // without the empty line
  std::string_view line_end;  // "\r\n" or "\n": what the message's first line ends in ("\n" for one without)
};

MessageHead ParseHead(std::string_view message);

// Whether `name` matches one of `patterns` (case ignored, a trailing * matches any ending).
bool MatchesHeader(std::string_view name, std::span<const std::string> patterns);

// The message without its From line, X-Thresher* headers and those that match `ignored`, written to *out.
void KeepOwnBytes(std::string_view message, std::span<const std::string> ignored, std::string* out);

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
