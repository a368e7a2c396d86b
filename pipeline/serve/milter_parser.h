// Reads what a mail server tells a milter, from bytes that come in any portions, and puts each message
// together.
//
// After the options come, for each message, its recipients, headers, pieces of the body, and an end. Only the
// options and the end wait for an answer (kMilterSteps). Called by MilterSession and the fuzzer. Any bytes
// give requests or the end of the conversation, the same ones however they are split. Thread-safety: one
// thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "pipeline/serve/milter_packet.h"

namespace thresher::pipeline {

struct MilterOptions {
  uint32_t version = 0;
  uint32_t actions = 0;  // that the server allows
  uint32_t steps = 0;    // that it can do
};

struct MilterMessage {
  std::vector<std::string> recipients;  // as the server wrote them: "<joe@example.org>"
  bool has_more_recipients = false;     // than are kept: then it is mail to no particular user
  // The head, an empty line and the body; all lines end with LF. Of a message that is too large, no body, and
  // no more of the head than there is place for.
  std::string text;
  std::vector<size_t> headers;  // where each begins in the text
  size_t head_end = 0;          // of the last one
  bool too_large = false;
};

class MilterParser {
 public:
  enum class Request {
    kNone,
    kOptions,
    kMessage,
    kEnd,  // the server ends the conversation, or did not keep to the protocol
  };

  // A message may have so many bytes.
  explicit MilterParser(size_t most_bytes) : most_bytes_(most_bytes) {}

  // Takes bytes up to the end of a request; returns how many.
  size_t Take(std::string_view bytes);
  void TakeEnd() { request_ = Request::kEnd; }

  Request request() const { return request_; }
  // Whether the server did not keep to the protocol.
  bool is_broken() const { return is_broken_; }
  const MilterOptions& options() const { return options_; }
  const MilterMessage& message() const { return message_; }
  // Forgets the request and goes on. REQUIRES: there is one, and it is not kEnd.
  void Next();

  // Whether the mail server may be waiting for its own client: a message has no data yet.
  bool IsAtRest() const {
    return packet_.empty() && unread_ == 0 && (part_ == Part::kOptions || part_ == Part::kRecipients);
  }
  // Bytes that it keeps: before the data of a message, those of its memory.
  size_t held() const;

 private:
  enum class Part { kOptions, kRecipients, kHead, kBody };

  void TakePacket(char letter, std::string_view data);
  bool TakeOptions(std::string_view data);
  bool TakeRecipient(std::string_view data);
  bool TakeHeader(std::string_view data);
  void EndHead();
  void TakeBody(std::string_view data);
  void EndMessage();

  size_t most_bytes_;
  Request request_ = Request::kNone;
  bool is_broken_ = false;
  Part part_ = Part::kOptions;
  std::string packet_;  // its bytes so far
  size_t unread_ = 0;   // bytes that still come of a packet that nobody reads
  MilterOptions options_;
  MilterMessage message_;
};

}  // namespace thresher::pipeline
