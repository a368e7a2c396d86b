#include "tokenizer/message_head.h"

#include <algorithm>
#include <utility>

#include "tokenizer/ascii.h"
#include "tokenizer/head_scanner.h"

namespace thresher::tokenizer {
void ParseHead(std::string_view message, size_t limit, MessageHead* head) {
  head->fields.clear();
  head->is_cut = false;
  HeadScanner scanner(message);
  head->from_line = FromLines(message);
  size_t left = limit;
  std::array<bool, kHeadersOfBody.size()> has_of_body{};
  for (HeaderField field; scanner.Next(&field);) {
    if (field.bytes.size() <= left) {
      left -= field.bytes.size();
      head->fields.push_back(field);
      continue;
    }
    head->is_cut = true;
    // No other headers, however long or many, hide these.
    const auto* of_body =
        std::find_if(kHeadersOfBody.begin(), kHeadersOfBody.end(),
                     [&](std::string_view name) { return EqualsIgnoringCase(field.name, name); });
    if (of_body == kHeadersOfBody.end() || Trim(field.value).empty()) continue;
    if (std::exchange(has_of_body[static_cast<size_t>(of_body - kHeadersOfBody.begin())], true)) continue;
    field.value = field.value.substr(0, limit);
    head->fields.push_back(field);
  }
  head->rest = scanner.Rest();
  head->body = scanner.Body();
}

MessageHead ParseHead(std::string_view message) {
  MessageHead head;
  ParseHead(message, std::string_view::npos, &head);
  return head;
}

bool KeepOwnBytes(std::string_view message, const HeaderPatterns& ignored, std::string* out, size_t limit) {
  out->clear();
  bool whole = true;
  const auto keep = [&](std::string_view bytes) {
    const size_t room = limit - out->size();
    out->append(bytes.substr(0, room));
    whole = whole && bytes.size() <= room;
  };
  HeadScanner scanner(message);
  for (HeaderField field; whole && scanner.Next(&field);) {
    if (!ignored.Match(field.name)) keep(field.bytes);
  }
  if (whole) keep(scanner.Rest());
  return whole;
}

}  // namespace thresher::tokenizer
