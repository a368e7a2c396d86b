#include "bench/serve_load/requests.h"

#include <fmt/format.h>

#include <array>
#include <charconv>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <utility>

#include "bench/must.h"
#include "pipeline/serve/milter_packet.h"

namespace thresher::bench {
namespace {

using pipeline::AppendMilterNumber;
using pipeline::AppendMilterPacket;
using pipeline::MilterNumber;

constexpr auto kNames = std::to_array<std::pair<std::string_view, Ask>>({{"spamd", Ask::kSpamd},
                                                                         {"http", Ask::kHttp},
                                                                         {"rspamd", Ask::kRspamd},
                                                                         {"milter", Ask::kMilter},
                                                                         {"learn", Ask::kLearn},
                                                                         {"taught", Ask::kTaught},
                                                                         {"raw", Ask::kRaw}});

std::string FileText(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) GiveUp(path.string() + " cannot be read");
  return {std::istreambuf_iterator<char>(file), {}};
}

std::string Post(std::string_view path, std::string_view body) {
  return fmt::format("POST {} HTTP/1.1\r\nHost: localhost\r\nContent-Length: {}\r\n\r\n{}", path, body.size(),
                     body);
}

// All that a server of today can do: the filter takes of it what it wants.
std::string MilterGreeting() {
  std::string data;
  for (const uint32_t number : {pipeline::kMilterVersion, 0x1ffU, 0x1fffffU})
    AppendMilterNumber(number, &data);
  std::string packet;
  AppendMilterPacket(pipeline::kMilterOptions, data, &packet);
  return packet;
}

// A header, which may have several lines, of the head of a message; empty at the end of the head.
std::string_view TakeHeader(std::string_view* text) {
  if (text->empty() || text->front() == '\n' || text->front() == '\r') return {};
  size_t end = text->find('\n');
  while (end != std::string_view::npos && end + 1 < text->size() &&
         ((*text)[end + 1] == ' ' || (*text)[end + 1] == '\t'))
    end = text->find('\n', end + 1);
  const std::string_view header = text->substr(0, end);
  text->remove_prefix(end == std::string_view::npos ? text->size() : end + 1);
  return header;
}

std::string MilterPackets(std::string_view text) {
  constexpr size_t kPiece = 65535;
  const std::string_view nul("\0", 1);
  std::string packets;
  AppendMilterPacket(pipeline::kMilterRecipient, "<joe@example.org>" + std::string(nul), &packets);
  for (std::string_view header = TakeHeader(&text); !header.empty(); header = TakeHeader(&text)) {
    const size_t colon = header.find(':');
    if (colon == std::string_view::npos) continue;
    AppendMilterPacket(
        pipeline::kMilterHeader,
        std::string(header.substr(0, colon)).append(nul).append(header.substr(colon + 1)).append(nul),
        &packets);
  }
  AppendMilterPacket(pipeline::kMilterEndOfHead, {}, &packets);
  for (; !text.empty(); text.remove_prefix(std::min(kPiece, text.size())))
    AppendMilterPacket(pipeline::kMilterBody, text.substr(0, kPiece), &packets);
  AppendMilterPacket(pipeline::kMilterEndOfMessage, {}, &packets);
  return packets;
}

Answer HttpAnswer(std::string_view received) {
  constexpr std::string_view kLength = "ontent-Length: ";  // C or c
  const size_t head = received.find("\r\n\r\n");
  const size_t length = received.find(kLength);
  if (head == std::string_view::npos || length == std::string_view::npos || length > head) return {};
  size_t bytes = 0;
  std::from_chars(received.data() + length + kLength.size(), received.data() + head, bytes);
  if (received.size() < head + 4 + bytes) return {};
  const std::string_view headers = received.substr(0, head);
  return {.is_complete = true,
          .is_right = received.substr(8, 5) == " 200 ",
          .keeps = headers.find("onnection: close") == std::string_view::npos};
}

// What changes the message comes before the packet that ends the answer.
Answer MilterAnswer(std::string_view received) {
  while (received.size() > 4) {
    const size_t size = 4 + MilterNumber(received);
    if (received.size() < size) return {};
    const char letter = received[4];
    if (letter == pipeline::kMilterAccept || letter == pipeline::kMilterTryAgain ||
        letter == pipeline::kMilterReply)
      return {.is_complete = true, .is_right = letter != pipeline::kMilterTryAgain, .keeps = true};
    received.remove_prefix(size);
  }
  return {};
}

}  // namespace

std::optional<Ask> AskNamed(std::string_view name) {
  for (const auto& [each, ask] : kNames)
    if (each == name) return ask;
  return std::nullopt;
}

std::vector<SentMessage> ReadMessages(const std::string& index) {
  std::ifstream lines(index);
  if (!lines) GiveUp(index + " cannot be read");
  const std::filesystem::path folder = std::filesystem::path(index).parent_path();
  std::vector<SentMessage> messages;
  std::string label;
  std::string path;
  while (lines >> label >> path)
    messages.push_back({.path = path, .spam = label == "spam", .bytes = FileText(folder / path)});
  if (messages.empty()) GiveUp(index + " names no message");
  return messages;
}

std::string RequestFor(Ask ask, const SentMessage& message, bool begins) {
  switch (ask) {
    case Ask::kSpamd:
      return fmt::format("CHECK SPAMC/1.5\r\nContent-length: {}\r\n\r\n{}", message.bytes.size(),
                         message.bytes);
    case Ask::kHttp:
      return Post("/classify", message.bytes);
    case Ask::kRspamd:
      return Post("/checkv2", message.bytes);
    case Ask::kMilter:
      return (begins ? MilterGreeting() : std::string()) + MilterPackets(message.bytes);
    case Ask::kLearn:
      return Post(message.spam ? "/learn?label=spam" : "/learn?label=ham", message.bytes);
    case Ask::kTaught:
      return Post("/taught", message.bytes);
    case Ask::kRaw:
      break;
  }
  return message.bytes;
}

Answer AnswerIn(Ask ask, std::string_view received, bool at_end) {
  switch (ask) {
    case Ask::kSpamd:
      return {.is_complete = at_end, .is_right = received.find("\r\nSpam: ") != std::string_view::npos};
    case Ask::kRaw:
      return {.is_complete = at_end, .is_right = true};
    case Ask::kMilter:
      return MilterAnswer(received);
    default:
      return HttpAnswer(received);
  }
}

}  // namespace thresher::bench
