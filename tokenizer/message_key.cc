// The key of a message: its Message-ID and a digest of its body.
#define XXH_INLINE_ALL
#include <xxhash.h>

#include "tokenizer/ascii.h"
#include "tokenizer/digest.h"
#include "tokenizer/head_scanner.h"
#include "tokenizer/message_head.h"
#include "tokenizer/thresher_headers.h"

namespace thresher::tokenizer {
namespace {

constexpr size_t kMaxMessageId = 255;

// The text between < and >, or all of it if there is no <, without white space and control bytes.
std::string CleanMessageId(std::string_view value) {
  if (const size_t open = value.find('<'); open != std::string_view::npos) {
    value.remove_prefix(open + 1);
    value = value.substr(0, value.find('>'));
  }
  std::string id;
  for (const char c : value) {
    if (static_cast<unsigned char>(c) > ' ' && c != '\x7f') id += c;
  }
  if (id.size() > kMaxMessageId) {
    const std::string digest = DigestOf(id);
    id.resize(kMaxMessageId - digest.size());
    id += digest;
  }
  return id;
}

std::string_view WithoutTrailingBlankLines(std::string_view body) {
  while (body.ends_with('\n')) {
    body.remove_suffix(1);
    if (body.ends_with('\r')) body.remove_suffix(1);
  }
  return body;
}

class XxhState {
 public:
  XxhState() { XXH3_64bits_reset(&state_); }
  void Update(std::string_view bytes) { XXH3_64bits_update(&state_, bytes.data(), bytes.size()); }
  uint64_t Digest() const { return XXH3_64bits_digest(&state_); }

 private:
  XXH3_state_t state_;
};

// Digests `body` without trailing blank lines and without the CR before an LF, and copies nothing.
uint64_t DigestOfBody(std::string_view body) {
  body = WithoutTrailingBlankLines(body);
  XxhState state;
  for (size_t begin = 0; begin < body.size();) {
    size_t end = body.find("\r\n", begin);
    if (end == std::string_view::npos) end = body.size();
    state.Update(body.substr(begin, end - begin));
    if (end < body.size()) ++end;
    begin = end;
  }
  return state.Digest();
}

}  // namespace

MessageKey KeyOf(std::string_view message) {
  MessageKey key;
  std::string buffer;
  HeadScanner scanner(WithoutThresherHeaders(message, &buffer));
  for (HeaderField field; scanner.Next(&field);) {
    if (key.message_id.empty() && EqualsIgnoringCase(field.name, "message-id"))
      key.message_id = CleanMessageId(field.value);
  }
  key.digest = HexDigits(DigestOfBody(scanner.Body()));
  return key;
}

}  // namespace thresher::tokenizer
