// The parts of a MIME message, transfer-decoded. GMime is used in mime.cc and visible nowhere else.
//
// Called by the tokenizer with the message's own bytes (see message_head.h). Total: any bytes are safe;
// nesting, part count and decoded size are bounded by the limits. A message with broken structure gives the
// parts that can be made out; at worst one text/plain part with the whole body. Thread-safety: WalkMime may
// run in many threads at once.
#pragma once

#include <cstddef>
#include <functional>
#include <string_view>

namespace thresher::tokenizer {

// Views hold during the callback only. Strings are as declared in the message, lower-cased where MIME ignores
// case.
struct MimePart {
  std::string_view type;         // "text/html"; "text/plain" where absent or malformed
  std::string_view charset;      // "" if not declared
  std::string_view encoding;     // "base64", "quoted-printable", "7bit", …; "" if not declared
  std::string_view disposition;  // "attachment", "inline" or ""
  std::string_view filename;     // decoded to UTF-8; "" if none
  size_t depth = 0;              // 0 for the message's own body
  std::string_view
      bytes;  // transfer-decoded content, perhaps cut; not charset-converted; empty for multiparts
};

struct MimeLimits {
  size_t depth;
  size_t parts;
  size_t header_bytes;
  size_t decoded_bytes;
};

// Calls visit for every part in order, multipart containers included (before their children). Returns whether
// a limit cut the message.
bool WalkMime(std::string_view message, const MimeLimits& limits,
              const std::function<void(const MimePart&)>& visit);

}  // namespace thresher::tokenizer
