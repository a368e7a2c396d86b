#include "tokenizer/message_head.h"

#include <algorithm>

#include "tokenizer/ascii.h"
#include "tokenizer/head_scanner.h"

namespace thresher::tokenizer {
namespace {

constexpr std::string_view kOwnPrefix = "x-thresher";

bool Matches(std::string_view name, std::string_view pattern) {
  if (!pattern.ends_with('*')) return EqualsIgnoringCase(name, pattern);
  pattern.remove_suffix(1);
  return StartsWithIgnoringCase(name, pattern);
}

std::string_view FirstLineEnd(std::string_view message) {
  const size_t end = message.find('\n');
  return end != std::string_view::npos && end > 0 && message[end - 1] == '\r' ? "\r\n" : "\n";
}

}  // namespace

void ParseHead(std::string_view message, size_t limit, MessageHead* head) {
  head->fields.clear();
  head->is_cut = false;
  HeadScanner scanner(message);
  head->from_line = scanner.FromLine();
  for (HeaderField field; scanner.Next(&field);) {
    if (message.size() - scanner.Rest().size() <= limit) {
      head->fields.push_back(field);
    } else {
      head->is_cut = true;
    }
  }
  head->rest = scanner.Rest();
  head->body = scanner.Body();
  head->line_end = FirstLineEnd(message);
}

MessageHead ParseHead(std::string_view message) {
  MessageHead head;
  ParseHead(message, std::string_view::npos, &head);
  return head;
}

std::string_view WithoutOwnLines(std::string_view rest, std::string* buffer) {
  buffer->clear();
  size_t kept = 0;  // the buffer has everything before it
  for (size_t begin = 0; begin < rest.size();) {
    const size_t end = std::min(rest.find('\n', begin), rest.size() - 1) + 1;
    const std::string_view line = rest.substr(begin, end - begin);
    if (line == "\n" || line == "\r\n") break;
    if (IsOwnHeader(line)) {
      buffer->append(rest.substr(kept, begin - kept));
      kept = end;
    }
    begin = end;
  }
  if (kept == 0) return rest;
  buffer->append(rest.substr(kept));
  return *buffer;
}

bool IsOwnHeader(std::string_view name) { return StartsWithIgnoringCase(name, kOwnPrefix); }

bool MatchesHeader(std::string_view name, std::span<const std::string> patterns) {
  return std::any_of(patterns.begin(), patterns.end(),
                     [name](const std::string& pattern) { return Matches(name, pattern); });
}

bool KeepOwnBytes(std::string_view message, std::span<const std::string> ignored, std::string* out,
                  size_t limit) {
  out->clear();
  bool whole = true;
  const auto keep = [&](std::string_view bytes) {
    const size_t room = limit - out->size();
    out->append(bytes.substr(0, room));
    whole = whole && bytes.size() <= room;
  };
  HeadScanner scanner(message);
  bool dropping = false;  // the last header other than thresher's is ignored
  for (HeaderField field; whole && scanner.Next(&field);) {
    if (IsOwnHeader(field.name)) continue;
    // After a removed X-Thresher header, a continuation line continues the header before that one.
    const bool continues = field.name.empty() && IsContinuation(field.bytes);
    if (!continues) dropping = MatchesHeader(field.name, ignored);
    if (!dropping) keep(field.bytes);
  }
  std::string buffer;
  if (whole) keep(WithoutOwnLines(scanner.Rest(), &buffer));
  return whole;
}

}  // namespace thresher::tokenizer
