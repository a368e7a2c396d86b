// What thresher writes into messages, so that it can be told from what a message has of its own.
//
// A part of Options. Used by the tokenizer and message keys, which drop it, and by pipeline/delivery, which
// writes it. It is not recorded with a model, since it changes no features. Thread-safety: a plain value.
#pragma once

#include <string>

namespace thresher::tokenizer {

// Headers whose names begin so, in any letter case, are always thresher's.
inline constexpr char kThresherHeader[] = "X-Thresher";
inline constexpr char kSpamFlagHeader[] = "X-Spam-Flag";
inline constexpr char kSpamStatusHeader[] = "X-Spam-Status";

struct OwnMarks {
  std::string header = kThresherHeader;
  bool spam_headers = false;  // X-Spam-Flag and X-Spam-Status as well
  std::string subject_tag;    // before the Subject of spam, with a space; empty: none
};

}  // namespace thresher::tokenizer
