// What a client of a filter says in one of its protocols, and where the answer ends.
//
// Used by the program serve_load. Thread-safety: pure functions.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace thresher::bench {

// What is asked.
enum class Ask {
  kSpamd,   // CHECK of spamd's protocol
  kHttp,    // POST /classify
  kRspamd,  // POST /checkv2
  kMilter,  // a message as a mail server says it
  kLearn,   // POST /learn
  kTaught,  // POST /taught
  kRaw,     // the bytes of the message themselves; whatever is answered is right
};
std::optional<Ask> AskNamed(std::string_view name);

struct SentMessage {
  std::string path;
  bool spam = false;
  std::string bytes;
};

// Of a file with lines "spam PATH" or "ham PATH"; PATH is relative to the file's folder. Ends the program if
// one cannot be read.
std::vector<SentMessage> ReadMessages(const std::string& index);

// begins: whether it is the first request of its connection.
std::string RequestFor(Ask ask, const SentMessage& message, bool begins);

struct Answer {
  bool is_complete = false;
  bool is_right = false;  // not an error
  bool keeps = false;     // the connection takes another request
};
// at_end: the server has closed the connection behind `received`.
Answer AnswerIn(Ask ask, std::string_view received, bool at_end);

}  // namespace thresher::bench
