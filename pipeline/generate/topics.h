// The topics of synthetic mail: words and sentences of each, all written for this generator.
//
// Used by Prose. A sentence has slots such as {thing}, which prose.h lists. Thread-safety: immutable after
// first use.
#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

namespace thresher::pipeline::synthetic {

using Phrases = std::vector<std::string_view>;

struct Topic {
  Phrases subjects;
  Phrases lines;      // sentences of its own
  Phrases things;     // nouns
  Phrases acts;       // verbs
  Phrases qualities;  // adjectives
};

// Sentences and names for all topics.
struct SharedPhrases {
  Phrases ham_lines;
  Phrases spam_lines;
  Phrases openings;  // of a personal letter
  Phrases closings;
  Phrases first_names;
  Phrases surnames;
  Phrases places;
  Phrases fillers;  // common words, for text without meaning
};

// Indexes of the topics that are used by name.
inline constexpr size_t kBankHam = 8;
inline constexpr size_t kHealthHam = 9;
inline constexpr size_t kShoppingHam = 10;
inline constexpr size_t kLoansSpam = 1;
inline constexpr size_t kLotterySpam = 2;
inline constexpr size_t kSoftwareSpam = 3;
inline constexpr size_t kWorkSpam = 7;
inline constexpr size_t kPhishingSpam = 8;
inline constexpr size_t kPromotionSpam = 10;

const std::vector<Topic>& HamTopics();
const std::vector<Topic>& SpamTopics();
const SharedPhrases& Shared();

// Splits "one|two three|four" at the bars; the views point into `list`.
Phrases Split(std::string_view list);

}  // namespace thresher::pipeline::synthetic
