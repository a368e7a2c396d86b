// Reads the head of a message field by field, without allocation: one pass, whatever the size of the head.
//
// Called by message_head.cc and message_key.cc; others use ParseHead. Thread-safety: a plain value.
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

  std::string_view FromLine() const { return message_.substr(0, from_end_); }
  // What follows the fields read so far.
  std::string_view Rest() const { return message_.substr(position_); }
  // The body. REQUIRES: Next() returned false.
  std::string_view Body() const;

 private:
  std::string_view LineAt(size_t position) const;

  std::string_view message_;
  size_t from_end_ = 0;
  size_t position_ = 0;
  bool seen_header_ = false;  // one other than thresher's
};

// Whether the line at the start of `text` continues the header before it.
inline bool IsContinuation(std::string_view text) { return text.starts_with(' ') || text.starts_with('\t'); }

}  // namespace thresher::tokenizer
