// Any bytes as what a mail server says to the milter: the answers are the same however they are split, are
// whole packets, and no more is kept than is allowed.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "pipeline/serve/milter_head.h"
#include "pipeline/serve/milter_packet.h"
#include "pipeline/serve/milter_parser.h"
#include "pipeline/serve/milter_user.h"

namespace {

using thresher::pipeline::MilterMessage;
using thresher::pipeline::MilterParser;
using Request = MilterParser::Request;

constexpr size_t kMost = 2000;
constexpr size_t kMostHeld = kMost + (3 << 20);

void Check(bool holds) {
  if (!holds) std::abort();
}

void CheckPackets(std::string_view packets) {
  while (!packets.empty()) {
    Check(packets.size() > 4);
    const size_t length = thresher::pipeline::MilterNumber(packets);
    Check(length > 0 && packets.size() >= 4 + length);
    packets.remove_prefix(4 + length);
  }
}

std::string Said(const MilterMessage& message) {
  Check(message.text.size() <= kMost + 2);
  Check(message.head_end <= message.text.size());
  const thresher::pipeline::Marks marks{"X-Spam-Flag: YES\nX-Thresher: Spam, version=0\n", "[SPAM]"};
  const thresher::tokenizer::OwnMarks own{"X-Verdict", true, marks.tag};
  const std::string changes = thresher::pipeline::PacketsOfMarks(message, marks, own);
  CheckPackets(changes);
  return changes + message.text + (message.too_large ? "!" : "") +
         thresher::pipeline::UserOfRecipients(message.recipients, "address") + "\n";
}

// What a parser has found, as one text, when it gets `portion` bytes at a time.
std::string Read(std::string_view bytes, size_t portion) {
  MilterParser parser(kMost);
  std::string said;
  while (!bytes.empty() && parser.request() != Request::kEnd) {
    std::string_view some = bytes.substr(0, portion);
    bytes.remove_prefix(some.size());
    while (!some.empty() && parser.request() != Request::kEnd) {
      const size_t count = parser.Take(some);
      Check(count > 0 && count <= some.size());
      Check(count == some.size() || parser.request() != Request::kNone);
      Check(parser.held() <= kMostHeld);
      some.remove_prefix(count);
      if (parser.request() == Request::kOptions) said += "options\n";
      if (parser.request() == Request::kMessage) said += Said(parser.message());
      if (parser.request() != Request::kNone && parser.request() != Request::kEnd) parser.Next();
    }
  }
  return said + (parser.request() == Request::kEnd ? "end" : "");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  const std::string whole = Read(bytes, std::max<size_t>(size, 1));
  Check(Read(bytes, 1 + size % 61) == whole);
  return 0;
}
