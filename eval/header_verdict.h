// The verdict and the score that a mail filter left in a header of a message.
//
// Called by `thresher eval --header`, which compares filters by it on mail that was delivered.
// Thread-safety: a pure function.
#pragma once

#include <optional>
#include <string_view>

namespace thresher::eval {

struct HeaderVerdict {
  bool called_spam = false;  // unsure counts as ham
  double score = 0;          // greater = more like spam
  double probability = -1;   // Outcome::kUnknown if the header has none
};

// From the value of a header of bogofilter, SpamAssassin, rspamd, CRM114, thresher or one like them: a word
// for the verdict, a number for the score, or both. Without a word, a score of 5 and above is spam, as by
// default in SpamAssassin; without a number, spam is 1 and ham 0. Nothing if there is neither.
std::optional<HeaderVerdict> ReadHeaderVerdict(std::string_view value);

}  // namespace thresher::eval
