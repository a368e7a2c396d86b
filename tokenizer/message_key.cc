#include "tokenizer/message_key.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

#include <algorithm>
#include <vector>

#include "tokenizer/ascii.h"
#include "tokenizer/digest.h"
#include "tokenizer/head_scanner.h"
#include "tokenizer/keyed_digest.h"
#include "tokenizer/message_head.h"
#include "tokenizer/subject_tag.h"
#include "tokenizer/thresher_headers.h"
#include "tokenizer/user.h"

namespace thresher::tokenizer {
namespace {

constexpr size_t kMaxMessageId = 255;
constexpr size_t kDigestDigits = 32;

bool IsFoldingBlank(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n'; }

// With one space for each run of white space, none at the ends: a header may be folded anew on its way.
std::string Unfolded(std::string_view value) {
  std::string text;
  for (const char c : value) {
    if (!IsFoldingBlank(c)) {
      text += c;
    } else if (!text.empty() && text.back() != ' ') {
      text += ' ';
    }
  }
  if (text.ends_with(' ')) text.pop_back();
  return text;
}

std::string_view WithoutTrailingBlankLines(std::string_view body) {
  while (body.ends_with('\n')) {
    body.remove_suffix(1);
    if (body.ends_with('\r')) body.remove_suffix(1);
  }
  return body;
}

// Calls update(piece) for the pieces of `body` without trailing blank lines and without the CR before an LF.
template <class Update>
void ForEachPiece(std::string_view body, const Update& update) {
  body = WithoutTrailingBlankLines(body);
  for (size_t begin = 0; begin < body.size();) {
    size_t end = body.find("\r\n", begin);
    if (end == std::string_view::npos) end = body.size();
    update(body.substr(begin, end - begin));
    if (end < body.size()) ++end;
    begin = end;
  }
}

class XxhState {
 public:
  XxhState() { XXH3_64bits_reset(&state_); }
  void Update(std::string_view bytes) { XXH3_64bits_update(&state_, bytes.data(), bytes.size()); }
  uint64_t Digest() const { return XXH3_64bits_digest(&state_); }

 private:
  XXH3_state_t state_;
};

std::string UnkeyedDigest(std::string_view body) {
  XxhState state;
  ForEachPiece(body, [&](std::string_view piece) { state.Update(piece); });
  return HexDigits(state.Digest());
}

// Of each header; more would only take memory. Mail has one of each.
constexpr size_t kMostRead = 8;

// What of a message identifies it: its first headers of each name as they stand in it.
struct Parts {
  std::vector<std::string> message_ids;
  std::vector<std::string> dates;
  std::vector<std::string> senders;
  std::vector<std::string> subjects;
  std::string_view body;
};

// Where a header of this name belongs; null if it does not identify a message.
std::vector<std::string>* PlaceOf(std::string_view name, Parts* parts) {
  if (EqualsIgnoringCase(name, "message-id")) return &parts->message_ids;
  if (EqualsIgnoringCase(name, "date")) return &parts->dates;
  if (EqualsIgnoringCase(name, "from")) return &parts->senders;
  return EqualsIgnoringCase(name, "subject") ? &parts->subjects : nullptr;
}

// `buffer` keeps the body if it is no part of the message.
Parts PartsOf(std::string_view message, const OwnMarks& marks, std::string* buffer) {
  Parts parts;
  HeadScanner scanner(WithoutMarks(message, buffer, marks));
  for (HeaderField field; scanner.Next(&field);) {
    std::vector<std::string>* const place = PlaceOf(field.name, &parts);
    if (place != nullptr && place->size() < kMostRead) place->emplace_back(field.value);
  }
  parts.body = scanner.Body();
  return parts;
}

// Of the first header that has one; empty if none has.
std::string MessageIdIn(const Parts& parts) {
  std::string id;
  for (const std::string& value : parts.message_ids) {
    if (id.empty()) id = CleanMessageId(value);
  }
  return id;
}

void UpdateTexts(const std::vector<std::string>& texts, KeyedDigest* digest) {
  const uint64_t count = texts.size();
  digest->UpdateText(std::string_view(reinterpret_cast<const char*>(&count), sizeof count));
  for (const std::string& text : texts) digest->UpdateText(Unfolded(text));
}

// What stays when a list rewrites From and Subject.
std::string ContentDigest(const Parts& parts, std::string_view secret) {
  KeyedDigest digest(secret);
  digest.UpdateText("content");
  UpdateTexts(parts.message_ids, &digest);
  UpdateTexts(parts.dates, &digest);
  ForEachPiece(parts.body, [&](std::string_view piece) { digest.Update(piece); });
  return HexDigits(digest.Finish());
}

std::string SenderDigest(const Parts& parts, std::string_view content, std::string_view secret) {
  KeyedDigest digest(secret);
  digest.UpdateText("sender");
  digest.UpdateText(content);
  UpdateTexts(parts.senders, &digest);
  std::vector<std::string> subjects;
  for (const std::string& subject : parts.subjects) subjects.push_back(WithoutTags(Unfolded(subject)));
  UpdateTexts(subjects, &digest);
  return HexDigits(digest.Finish());
}

// The digest in an X-Thresher header; empty if there is none.
std::string_view DigestIn(std::string_view header) {
  constexpr std::string_view kName = " key=";
  const size_t at = header.rfind(kName);
  if (at == std::string_view::npos) return {};
  header.remove_prefix(at + kName.size());
  const size_t size = std::min(header.find_first_not_of("0123456789abcdef"), header.size());
  return size == kDigestDigits ? header.substr(0, size) : std::string_view();
}

}  // namespace

std::string CleanMessageId(std::string_view value) {
  if (const size_t open = value.find('<'); open != std::string_view::npos) {
    value.remove_prefix(open + 1);
    value = value.substr(0, value.find('>'));
  }
  return CleanBareMessageId(value);
}

std::string CleanBareMessageId(std::string_view bare) {
  std::string id;
  for (const char c : bare) {
    if (static_cast<unsigned char>(c) > ' ' && c != '\x7f') id += c;
  }
  if (id.size() > kMaxMessageId) {
    const std::string digest = DigestOf(id);
    id.resize(kMaxMessageId - digest.size());
    id += digest;
  }
  return id;
}

MessageKeys KeyMaker::KeysOf(std::string_view message, std::string_view user) const {
  std::string buffer;
  const Parts parts = PartsOf(message, marks_, &buffer);
  const std::string id = MessageIdOf(user, MessageIdIn(parts));
  MessageKeys keys{.own = {id, UnkeyedDigest(parts.body)}, .delivered = {}, .unkeyed = {}};
  if (secret_.empty()) return keys;
  keys.unkeyed = keys.own;
  const std::string content = ContentDigest(parts, secret_);
  keys.own.digest = content + SenderDigest(parts, content, secret_);
  for (const std::string_view header : ThresherHeaders(message, kMostRead, marks_)) {
    const std::string_view said = DigestIn(header);
    if (!said.starts_with(content) || said == keys.own.digest) continue;
    keys.delivered = MessageKey{id, std::string(said)};
    break;
  }
  return keys;
}

}  // namespace thresher::tokenizer
