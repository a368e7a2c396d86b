#include "pipeline/serve/milter_parser.h"

#include <algorithm>
#include <utility>

namespace thresher::pipeline {
namespace {

constexpr size_t kLengthBytes = 4;
// Of one packet, with its letter: Postfix sends headers of up to 100 kB, and 64 kB of a body at a time.
constexpr size_t kMostPacket = size_t{1} << 20;
// The memory of a packet that stays for the next one.
constexpr size_t kKeptMemory = size_t{128} << 10;
// Mail to more has no particular user.
constexpr size_t kMostRecipients = 1000;
// Of an address; a longer one names no user.
constexpr size_t kMostAddress = 320;

// Of a text that is not inside the object itself.
size_t MemoryOf(const std::string& text) {
  return text.capacity() > std::string().capacity() ? text.capacity() : 0;
}

// Removes each CR before an LF, from `begin` on.
void EndLinesWithLf(size_t begin, std::string* text) {
  size_t kept = text->find("\r\n", begin);
  if (kept == std::string::npos) return;
  for (size_t at = kept; at < text->size(); ++at) {
    const bool is_crlf = (*text)[at] == '\r' && at + 1 < text->size() && (*text)[at + 1] == '\n';
    if (!is_crlf) (*text)[kept++] = (*text)[at];
  }
  text->resize(kept);
}

}  // namespace

size_t MilterParser::Take(std::string_view bytes) {
  const size_t all = bytes.size();
  while (request_ == Request::kNone && !bytes.empty()) {
    if (unread_ > 0) {
      const size_t count = std::min(unread_, bytes.size());
      bytes.remove_prefix(count);
      unread_ -= count;
      continue;
    }
    const size_t wanted = packet_.size() < kLengthBytes    ? kLengthBytes
                          : packet_.size() == kLengthBytes ? kLengthBytes + 1  // the letter
                                                           : kLengthBytes + MilterNumber(packet_);
    const size_t count = std::min(wanted - packet_.size(), bytes.size());
    packet_.append(bytes.substr(0, count));
    bytes.remove_prefix(count);
    if (packet_.size() < kLengthBytes) continue;
    const uint32_t length = MilterNumber(packet_);
    if (length == 0 || length > kMostPacket) {
      is_broken_ = true;
      request_ = Request::kEnd;
    } else if (packet_.size() == kLengthBytes + 1 && packet_[kLengthBytes] == kMilterMacros) {
      TakePacket(kMilterMacros, {});  // whatever data it has
      unread_ = length - 1;
      packet_.clear();
    } else if (packet_.size() == kLengthBytes + length) {
      TakePacket(packet_[kLengthBytes], std::string_view(packet_).substr(kLengthBytes + 1));
      // A connection may rest for hours.
      if (packet_.capacity() > kKeptMemory) std::string().swap(packet_);
      packet_.clear();
    }
  }
  return all - bytes.size();
}

void MilterParser::TakePacket(char letter, std::string_view data) {
  bool is_expected = part_ != Part::kOptions;
  switch (letter) {
    case kMilterOptions:
      is_expected = part_ == Part::kOptions && TakeOptions(data);
      break;
    case kMilterMacros:
      break;
    case kMilterRecipient:
      is_expected = part_ == Part::kRecipients && TakeRecipient(data);
      break;
    case kMilterHeader:
      is_expected = (part_ == Part::kRecipients || part_ == Part::kHead) && TakeHeader(data);
      break;
    case kMilterEndOfHead:
      if (is_expected) EndHead();
      break;
    case kMilterBody:
      if (is_expected) TakeBody(data);
      break;
    case kMilterEndOfMessage:
      if (!is_expected) break;
      TakeBody(data);
      EndMessage();
      break;
    case kMilterAbort:
    case kMilterNextConnection:
      if (is_expected) Next();
      break;
    default:  // also what was not to be sent
      is_expected = false;
  }
  is_broken_ = letter != kMilterQuit && !is_expected;
  if (letter == kMilterQuit || is_broken_) request_ = Request::kEnd;
}

bool MilterParser::TakeOptions(std::string_view data) {
  if (data.size() < 12) return false;
  options_ = {MilterNumber(data), MilterNumber(data.substr(4)), MilterNumber(data.substr(8))};
  request_ = Request::kOptions;
  return true;
}

// The parameters of RCPT follow the address.
bool MilterParser::TakeRecipient(std::string_view data) {
  const auto address = TakeMilterText(&data);
  if (!address) return false;
  if (message_.recipients.size() < kMostRecipients) {
    message_.recipients.emplace_back(address->substr(0, kMostAddress));
  } else {
    message_.has_more_recipients = true;
  }
  return true;
}

bool MilterParser::TakeHeader(std::string_view data) {
  const auto name = TakeMilterText(&data);
  const auto value = TakeMilterText(&data);
  if (!name || !value || name->empty()) return false;
  part_ = Part::kHead;
  std::string& text = message_.text;
  const size_t size = name->size() + value->size() + sizeof(size_t);
  message_.too_large |= size + text.size() + message_.headers.size() * sizeof(size_t) > most_bytes_;
  if (message_.too_large) return true;
  const size_t begin = text.size();
  message_.headers.push_back(begin);
  text.append(*name).append(":").append(*value).append("\n");
  EndLinesWithLf(begin, &text);
  message_.head_end = text.size();
  return true;
}

void MilterParser::EndHead() {
  if (part_ == Part::kBody) return;
  part_ = Part::kBody;
  message_.text.append("\n");
}

void MilterParser::TakeBody(std::string_view data) {
  EndHead();
  std::string& text = message_.text;
  if (!message_.too_large && data.size() + text.size() <= most_bytes_) {
    text.append(data);
    return;
  }
  message_.too_large = true;
  text.resize(message_.head_end);
  text.shrink_to_fit();
}

void MilterParser::EndMessage() {
  EndLinesWithLf(message_.head_end, &message_.text);
  request_ = Request::kMessage;
}

void MilterParser::Next() {
  part_ = Part::kRecipients;
  // An empty string that is assigned would leave the memory of the largest message here, for hours.
  std::string().swap(packet_);
  std::string().swap(message_.text);
  message_ = {};
  request_ = Request::kNone;
}

size_t MilterParser::held() const {
  size_t bytes = MemoryOf(packet_) + message_.text.size() + message_.headers.size() * sizeof(size_t) +
                 message_.recipients.capacity() * sizeof(std::string);
  for (const std::string& recipient : message_.recipients) bytes += MemoryOf(recipient);
  return bytes;
}

}  // namespace thresher::pipeline
