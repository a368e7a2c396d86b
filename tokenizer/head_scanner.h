// Reads the head of a message field by field, without allocation: one pass, whatever the size of the head.
//
// Called in this folder by what reads heads (message_head.cc, message_key.cc, thresher_headers.cc), and by
// the daemon's list of recent verdicts; others use ParseHead. Thread-safety: a plain value.
#pragma once

#include <cstddef>
#include <string_view>

#include "tokenizer/message_head.h"

namespace thresher::tokenizer {

class HeadScanner {
 public:
  explicit HeadScanner(std::string_view message);

  // The next field, or false at the end of the head.
  bool Next(HeaderField* field);

  // What follows the fields read so far.
  std::string_view Rest() const { return rest_; }
  // The body. REQUIRES: Next() returned false.
  std::string_view Body() const;

 private:
  std::string_view TakeLine();

  std::string_view rest_;
  bool seen_header_ = false;
};

// The mbox "From " and ">From " lines at the top of a message, with their line ends.
std::string_view FromLines(std::string_view message);

}  // namespace thresher::tokenizer
