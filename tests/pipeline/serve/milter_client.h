// What a mail server says to a milter, as bytes, and what it is answered, in words.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "pipeline/serve/milter_packet.h"

namespace thresher::pipeline {

inline std::string MilterPacket(char letter, std::string_view data = {}) {
  std::string packet;
  AppendMilterPacket(letter, data, &packet);
  return packet;
}

inline std::string MilterOptionsPacket(uint32_t version = 6, uint32_t actions = 0x1ff,
                                       uint32_t steps = 0x1fffff) {
  std::string data;
  for (const uint32_t number : {version, actions, steps}) AppendMilterNumber(number, &data);
  return MilterPacket(kMilterOptions, data);
}

inline std::string MilterTexts(const std::vector<std::string>& texts) {
  std::string data;
  for (const std::string& text : texts) data.append(text).push_back('\0');
  return data;
}

// A message from its recipients to its end, as Postfix sends it.
struct MilterMail {
  std::vector<std::string> recipients = {"<joe@example.org>"};
  std::vector<std::pair<std::string, std::string>> headers = {};
  std::string body = "body\r\n";

  std::string Packets() const {
    std::string packets = MilterPacket(kMilterMacros, "R" + MilterTexts({"{rcpt_addr}", "joe"}));
    for (const std::string& recipient : recipients)
      packets += MilterPacket(kMilterRecipient, MilterTexts({recipient, "NOTIFY=NEVER"}));
    for (const auto& [name, value] : headers)
      packets += MilterPacket(kMilterHeader, MilterTexts({name, value}));
    packets += MilterPacket(kMilterEndOfHead) + MilterPacket(kMilterMacros, "B");
    if (!body.empty()) packets += MilterPacket(kMilterBody, body);
    return packets + MilterPacket(kMilterEndOfMessage);
  }
};

// "change 1 X-Thresher:", "insert 1 X-Thresher: Ham…", "accept", …
inline std::vector<std::string> MilterAnswers(std::string_view bytes) {
  std::vector<std::string> answers;
  while (bytes.size() > 4) {
    const size_t length = MilterNumber(bytes);
    const char letter = bytes[4];
    std::string_view data = bytes.substr(5, length - 1);
    bytes.remove_prefix(std::min(4 + length, bytes.size()));
    if (letter == kMilterInsertHeader || letter == kMilterChangeHeader) {
      const std::string number = std::to_string(MilterNumber(data));
      data.remove_prefix(4);
      const std::string name(*TakeMilterText(&data));
      const std::string value(*TakeMilterText(&data));
      answers.push_back((letter == kMilterInsertHeader ? "insert " : "change ") + number + " " + name + ":" +
                        value);
    } else if (letter == kMilterReply || letter == kMilterQuarantine) {
      answers.push_back((letter == kMilterReply ? "reply " : "quarantine ") +
                        std::string(*TakeMilterText(&data)));
    } else {
      answers.push_back(letter == kMilterAccept     ? "accept"
                        : letter == kMilterTryAgain ? "try again"
                                                    : std::string(1, letter) + std::string(data));
    }
  }
  return answers;
}

}  // namespace thresher::pipeline
