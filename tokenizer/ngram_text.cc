// Boundaries are found without the boundary parameter: a line "--…" that a Content- header follows begins a
// part. That also holds for nested and broken structures, and needs no parser. Only where the first part
// begins is found by the parameter, since a part may have no header.
#include "tokenizer/ngram_text.h"

#include <algorithm>

#include "tokenizer/ascii.h"
#include "tokenizer/base64.h"
#include "tokenizer/lines.h"
#include "tokenizer/quoted_printable.h"

namespace thresher::tokenizer {
namespace {

constexpr size_t kHeaderBytes = 500;    // of one header of the message
constexpr size_t kPartHeadBytes = 300;  // of the head of one part
// Of what is before the first part, which programs do not show. What mail programs write there is shorter.
constexpr size_t kPreambleBytes = 100;

// Headers whose values are signatures, digests, random ids, or what servers found out about the message; by
// the beginning of the name.
constexpr auto kMadeByMachines = std::to_array<std::string_view>({"arc-",           "authentication-results",
                                                                  "dkim-signature", "domainkey-signature",
                                                                  "feedback-id",    "received-spf",
                                                                  "thread-index",   "x-amz",
                                                                  "x-csa",          "x-eopattributed",
                                                                  "x-exchange",     "x-forefront-",
                                                                  "x-gm-",          "x-google-",
                                                                  "x-mailgun",      "x-microsoft-",
                                                                  "x-ms-",          "x-received",
                                                                  "x-ses-",         "x-sg-"});

bool IsMadeByMachines(std::string_view name) {
  return std::any_of(kMadeByMachines.begin(), kMadeByMachines.end(),
                     [&](std::string_view prefix) { return StartsWithIgnoringCase(name, prefix); });
}

// Where the next part begins with its boundary line; npos if there is none.
size_t NextBoundary(std::string_view text) {
  const bool at_once = text.starts_with("--");
  for (size_t at = at_once ? 0 : text.find("\n--"); at != std::string_view::npos;
       at = text.find("\n--", at + 1)) {
    const size_t begin = text[at] == '\n' ? at + 1 : at;
    const size_t end = text.find('\n', begin);
    if (end == std::string_view::npos) return end;
    if (StartsWithIgnoringCase(text.substr(end + 1), "content-")) return begin;
  }
  return std::string_view::npos;
}

// The size of the head at the start of `text`: the lines before the first empty one.
size_t HeadSize(std::string_view text) {
  size_t size = 0;
  while (size < text.size()) {
    const std::string_view line = FirstLine(text.substr(size));
    if (IsBlankLine(line)) break;
    size += line.size();
  }
  return size;
}

// The value of the first line that begins with `name`; its parameters follow. Empty if there is none.
std::string_view ValueOf(std::string_view head, std::string_view name) {
  while (!head.empty()) {
    const std::string_view line = FirstLine(head);
    if (StartsWithIgnoringCase(line, name)) return Trim(line.substr(name.size()));
    head.remove_prefix(line.size());
  }
  return {};
}

// The boundary that the value of a Content-Type declares for a multipart; empty if there is none.
std::string_view BoundaryIn(std::string_view type) {
  constexpr std::string_view kName = "boundary=";
  if (!StartsWithIgnoringCase(type, "multipart")) return {};
  const size_t name = FindIgnoringCase(type, kName);
  if (name == type.size()) return {};
  std::string_view value = type.substr(name + kName.size());
  const bool is_quoted = value.starts_with('"');
  if (is_quoted) value.remove_prefix(1);
  return value.substr(0, value.find_first_of(is_quoted ? "\"" : "; \t\r\n"));
}

// Where the first part begins with its boundary line; 0 if it is not found.
size_t PreambleSize(std::string_view body, std::string_view type) {
  const std::string_view boundary = BoundaryIn(type);
  if (boundary.empty()) return 0;
  const std::string line = "\n--" + std::string(boundary);
  if (body.starts_with(std::string_view(line).substr(1))) return 0;
  return body.find(line) + 1;
}

}  // namespace

// How the content of a part stands in the message.
struct NgramText::PartKind {
  PartKind(std::string_view type, std::string_view encoding)
      : is_text(type.empty() || StartsWithIgnoringCase(type, "text") ||
                StartsWithIgnoringCase(type, "multipart") || StartsWithIgnoringCase(type, "message")),
        is_base64(IsEncoding(encoding, "base64")),
        is_quoted_printable(IsEncoding(encoding, "quoted-printable")) {}

  static bool IsEncoding(std::string_view value, std::string_view name) {
    if (value.starts_with('"')) value.remove_prefix(1);
    return StartsWithIgnoringCase(value, name);
  }

  bool is_text;
  bool is_base64;
  bool is_quoted_printable;
};

std::string_view NgramText::Of(const MessageHead& mail, size_t bytes, size_t head_bytes) {
  text_.clear();
  limit_ = bytes;
  AddHead(mail, std::min(bytes, head_bytes));
  if (!mail.fields.empty()) AddText("\n");
  std::string_view type;
  std::string_view encoding;
  for (const HeaderField& field : mail.fields) {
    if (type.empty() && EqualsIgnoringCase(field.name, "content-type")) type = Trim(field.value);
    if (encoding.empty() && EqualsIgnoringCase(field.name, "content-transfer-encoding"))
      encoding = Trim(field.value);
  }
  const size_t preamble = PreambleSize(mail.body, type);
  AddText(mail.body.substr(0, std::min(preamble, kPreambleBytes)));
  AddBody(mail.body.substr(preamble), {type, encoding});
  return text_;
}

void NgramText::AddHead(const MessageHead& mail, size_t limit) {
  for (const HeaderField& field : mail.fields) {
    if (text_.size() >= limit) return;
    if (IsMadeByMachines(field.name)) continue;
    AddText(field.bytes.substr(0, std::min(kHeaderBytes, limit - text_.size())));
    if (!text_.ends_with('\n')) AddText("\n");
  }
}

void NgramText::AddBody(std::string_view body, PartKind kind) {
  while (Room() > 0) {
    // Text that is not encoded is read only as far as there is room.
    const bool is_plain = !kind.is_base64 && !kind.is_quoted_printable;
    const size_t boundary = NextBoundary(is_plain ? body.substr(0, Room() + kHeaderBytes) : body);
    AddContent(body.substr(0, boundary), kind);
    if (boundary == std::string_view::npos) return;
    body.remove_prefix(boundary);
    const std::string_view head = body.substr(0, HeadSize(body));
    AddText(head.substr(0, kPartHeadBytes));
    kind = {ValueOf(head, "content-type:"), ValueOf(head, "content-transfer-encoding:")};
    body.remove_prefix(head.size());
  }
}

void NgramText::AddContent(std::string_view content, const PartKind& kind) {
  if (kind.is_base64) {
    if (kind.is_text) AddBase64(content);
  } else if (kind.is_quoted_printable) {
    AppendQuotedPrintable(content, limit_, &text_);
  } else {
    AddText(content);
  }
}

void NgramText::AddBase64(std::string_view text) {
  Base64Decoder decoder;
  for (const char c : text) {
    // No base64 has a hyphen: the part's last boundary follows.
    if (text_.size() >= limit_ || c == '-') break;
    decoder.Add(c, &text_);
  }
  decoder.Finish(&text_);
  text_.resize(std::min(text_.size(), limit_));
}

}  // namespace thresher::tokenizer
