// Packets of the milter protocol, version 6: the length of what follows (4 bytes, the highest first), a
// letter, and data. Texts in the data end with a NUL.
//
// Used by milter_parser and milter_session, and by tests. Thread-safety: pure functions.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace thresher::pipeline {

// What a mail server says.
inline constexpr char kMilterOptions = 'O';
inline constexpr char kMilterMacros = 'D';
inline constexpr char kMilterRecipient = 'R';
inline constexpr char kMilterHeader = 'L';
inline constexpr char kMilterEndOfHead = 'N';
inline constexpr char kMilterBody = 'B';
inline constexpr char kMilterEndOfMessage = 'E';
inline constexpr char kMilterAbort = 'A';
inline constexpr char kMilterQuit = 'Q';
inline constexpr char kMilterNextConnection = 'K';

// What it is answered.
inline constexpr char kMilterAccept = 'a';
inline constexpr char kMilterTryAgain = 't';
inline constexpr char kMilterReply = 'y';
inline constexpr char kMilterInsertHeader = 'i';
inline constexpr char kMilterChangeHeader = 'm';
inline constexpr char kMilterQuarantine = 'q';

inline constexpr uint32_t kMilterVersion = 6;

// What a filter may do to a message.
inline constexpr uint32_t kMilterMayAddHeaders = 0x01;
inline constexpr uint32_t kMilterMayChangeHeaders = 0x10;
inline constexpr uint32_t kMilterMayQuarantine = 0x20;

// What the server leaves out, and what it does not wait for an answer to. Headers come with the space after
// the colon.
inline constexpr uint32_t kMilterSteps = 0x000001    // no connection
                                         | 0x000002  // no HELO
                                         | 0x000004  // no MAIL
                                         | 0x000080  // no answer to a header
                                         | 0x000100  // no unknown command
                                         | 0x000200  // no DATA
                                         | 0x008000  // no answer to RCPT
                                         | 0x040000  // no answer to the end of the head
                                         | 0x080000  // no answer to a piece of the body
                                         | 0x100000;

inline void AppendMilterNumber(uint32_t number, std::string* out) {
  for (int shift = 24; shift >= 0; shift -= 8) out->push_back(static_cast<char>(number >> shift));
}

// REQUIRES: at least 4 bytes.
inline uint32_t MilterNumber(std::string_view bytes) {
  uint32_t number = 0;
  for (const char c : bytes.substr(0, 4)) number = number << 8 | static_cast<unsigned char>(c);
  return number;
}

inline void AppendMilterPacket(char letter, std::string_view data, std::string* out) {
  AppendMilterNumber(static_cast<uint32_t>(data.size() + 1), out);
  out->push_back(letter);
  out->append(data);
}

// Takes the text before the next NUL off *data, and the NUL; nothing if there is no NUL.
inline std::optional<std::string_view> TakeMilterText(std::string_view* data) {
  const size_t end = data->find('\0');
  if (end == std::string_view::npos) return std::nullopt;
  const std::string_view text = data->substr(0, end);
  data->remove_prefix(end + 1);
  return text;
}

}  // namespace thresher::pipeline
