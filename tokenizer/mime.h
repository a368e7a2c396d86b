// The parts of a MIME message, transfer-decoded. Only mime.cc parses by GMime.
//
// Called by the tokenizer with the message's own bytes (see message_head.h). Accepts any bytes; the limits
// bound nesting, number of parts and decoded size. From a message with broken structure it extracts the parts
// it can, at worst one text/plain part with the whole body. Thread-safety: WalkMime may run in many threads
// at once.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string_view>

#include "tokenizer/message_head.h"

namespace thresher::tokenizer {

// Views hold during the callback only. Strings are as declared in the message, in lower case where MIME
// ignores case.
struct MimePart {
  std::string_view type;         // "text/html"; "text/plain" where absent or malformed
  std::string_view charset;      // "" if not declared
  std::string_view encoding;     // "base64", "quoted-printable", "7bit", …; "" if not declared
  std::string_view disposition;  // "attachment", "inline" or ""
  std::string_view filename;     // decoded to UTF-8; "" if none
  size_t depth = 0;              // 0 for the message's own body
  // Of an embedded message, as they stand in its head; empty if it has none, and in other parts.
  std::string_view inner_from;
  std::string_view inner_subject;
  // In a multipart/related, but not in its root, which alone is the body (RFC 2387).
  bool is_beside_root = false;
  // Transfer-decoded content, perhaps cut by a limit; not converted from its charset. Empty for multiparts
  // and embedded messages.
  std::string_view bytes;
};

struct MimeLimits {
  size_t depth;
  size_t parts;
  // Of all readable parts together (part_description.h), with what MimePart has of heads within, again of all
  // other parts, and again of embedded messages in a transfer encoding, whose parts are visited.
  size_t decoded_bytes;
};

// What the limits left out, at most.
enum class MimeCut : uint8_t {
  kNothing,
  kFiles,  // bytes of parts that are no text
  kText,   // text, or whole parts
};

// Calls visit for every part of the message in order, multipart containers included (before their children).
MimeCut WalkMime(const MessageHead& message, const MimeLimits& limits,
                 const std::function<void(const MimePart&)>& visit);

}  // namespace thresher::tokenizer
