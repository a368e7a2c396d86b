// The features of one message: what the tokenizer produces and learners read.
//
// Written by Tokenizer; learners read ids and values as plain spans. Thread-safety: a plain value; distinct
// objects may be used by distinct threads.
#pragma once

#include <bit>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace thresher::tokenizer {

// Whether two values are the same bits: 0 and −0 are not, a NaN is.
inline bool SameBits(float a, float b) { return std::bit_cast<uint32_t>(a) == std::bit_cast<uint32_t>(b); }

// `ids`, `values` and `text_ends` have the same length and the order of first occurrence in the message; ids
// are distinct. Sums over features are taken in this order, so that results are the same bits.
struct Features {
  std::vector<uint64_t> ids;
  std::vector<float> values;
  // Texts of the tokens, one after the other. The text of feature i is [text_ends[i-1], text_ends[i]). It is
  // empty for a byte n-gram, whose text is computed from its id (see IdSpace).
  std::string texts;
  std::vector<uint32_t> text_ends;
  // A limit of Options cut the message, so that some of its text gave no features.
  bool truncated = false;

  // What the tokenizer knows of features that it made, so that EncodeFeatures need not find it out: the seed
  // of the id space in which their ids follow from their texts, and which words pairs consist of. Nothing for
  // other features, and once one was added. Whoever changes ids or texts otherwise resets it.
  struct WordPair {  // places
    uint32_t pair;   // its text: "pair:", the first word, a space, the second word without its field
    uint32_t first;
    uint32_t second;
  };
  std::optional<uint64_t> seed;
  std::vector<WordPair> pairs;  // ascending; some may be missing
  // The message that they were made of (message_record.h), which EncodeFeatures writes in their place; empty
  // if the tokenizer was not told to keep it, and once a feature was added.
  std::string message;

  size_t size() const { return ids.size(); }
  std::string_view Text(size_t i) const {
    const size_t begin = i == 0 ? 0 : text_ends[i - 1];
    return std::string_view(texts).substr(begin, text_ends[i] - begin);
  }
  void Add(uint64_t id, float value, std::string_view text) {
    seed.reset();
    message.clear();
    ids.push_back(id);
    values.push_back(value);
    texts += text;
    text_ends.push_back(static_cast<uint32_t>(texts.size()));
  }
  // Removes the features i for which keeps(i) is false.
  template <class Keeps>
  void KeepIf(const Keeps& keeps) {
    size_t first = 0;  // that goes
    while (first < size() && keeps(first)) ++first;
    if (first == size()) return;
    Features kept;
    for (size_t i = 0; i < size(); ++i) {
      if (i < first || (i > first && keeps(i))) kept.Add(ids[i], values[i], Text(i));
    }
    kept.truncated = truncated;
    *this = std::move(kept);
  }
  void Clear() {
    ids.clear();
    values.clear();
    texts.clear();
    text_ends.clear();
    truncated = false;
    seed.reset();
    pairs.clear();
    message.clear();
  }
};

}  // namespace thresher::tokenizer
