// Small messages that tests teach and classify.
#pragma once

#include <string>

namespace thresher::pipeline {

inline std::string SpamMessage(int number) {
  const std::string n = std::to_string(number);
  return "From: Cheap Pills <offer" + n +
         "@pills.example>\nTo: you@example.org\nSubject: Buy cheap pills now " + n + "\nMessage-ID: <spam" +
         n + "@pills.example>\nDate: Mon, 2 Jan 2006 15:04:05 +0000\n\n" +
         "Cheap pills! Order now at http://pills.example/buy?id=" + n +
         "\nLimited offer, unsubscribe never.\n";
}

inline std::string HamMessage(int number) {
  const std::string n = std::to_string(number);
  return "From: Alice Example <alice@example.org>\nTo: Bob <bob@example.org>\nSubject: Re: minutes of "
         "meeting " +
         n + "\nMessage-ID: <ham" + n + "@example.org>\nIn-Reply-To: <ham" + std::to_string(number - 1) +
         "@example.org>\nDate: Mon, 2 Jan 2006 15:04:05 +0000\n\n" + "Hello Bob,\n\nthe minutes of meeting " +
         n + " are attached. See you on Tuesday.\n\nAlice\n";
}
// Every third message is spam.
inline std::string MessageNumber(int i) { return i % 3 == 0 ? SpamMessage(i) : HamMessage(i); }

// As a message stands in an mbox.
inline std::string InMailbox(const std::string& message) {
  return "From a@b Mon Jan  2 15:04:05 2006\n" + message + "\n";
}
// An mbox of the messages 0 to count - 1. A process for all of them takes less time than one for each.
template <class Message>
std::string Mailbox(int count, const Message& message) {
  std::string mailbox;
  for (int i = 0; i < count; ++i) mailbox += InMailbox(message(i));
  return mailbox;
}

}  // namespace thresher::pipeline
