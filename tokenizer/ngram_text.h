// The text that byte n-grams are made of: the start of what a sender wrote, in the head and in the body.
//
// Headers of modern mail are mostly made by machines on its way, and bodies are encoded; n-grams of those
// bytes say nothing. Called by the tokenizer. Accepts any bytes; linear time. Thread-safety: serves one
// thread.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "tokenizer/message_head.h"

namespace thresher::tokenizer {

class NgramText {
 public:
  // The head without signatures, digests and results of checks, each header cut; at most `head_bytes` of it.
  // Then the body as it stands, except that base64 and quoted-printable are decoded and files in base64 left
  // out, and what precedes the first part is cut. Together at most `bytes`. The view holds until the next
  // call.
  std::string_view Of(const MessageHead& mail, size_t bytes, size_t head_bytes);

 private:
  struct PartKind;

  void AddHead(const MessageHead& mail, size_t limit);
  void AddBody(std::string_view body, PartKind kind);
  void AddContent(std::string_view content, const PartKind& kind);
  void AddText(std::string_view text) { text_.append(text.substr(0, Room())); }
  void AddBase64(std::string_view text);
  size_t Room() const { return limit_ - text_.size(); }

  std::string text_;
  size_t limit_ = 0;  // text_ is never longer
};

}  // namespace thresher::tokenizer
