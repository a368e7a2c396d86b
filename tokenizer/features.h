// The features of one message: what the tokenizer produces and learners read.
//
// Written by Tokenizer; learners read ids and values as plain spans. Thread-safety: a plain value; distinct
// objects may be used by distinct threads.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace thresher::tokenizer {

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

  size_t size() const { return ids.size(); }
  std::string_view Text(size_t i) const {
    const size_t begin = i == 0 ? 0 : text_ends[i - 1];
    return std::string_view(texts).substr(begin, text_ends[i] - begin);
  }
  void Add(uint64_t id, float value, std::string_view text) {
    ids.push_back(id);
    values.push_back(value);
    texts += text;
    text_ends.push_back(static_cast<uint32_t>(texts.size()));
  }
  // Removes the features i for which keeps(i) is false.
  template <class Keeps>
  void KeepIf(const Keeps& keeps) {
    Features kept;
    for (size_t i = 0; i < size(); ++i) {
      if (keeps(i)) kept.Add(ids[i], values[i], Text(i));
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
  }
};

}  // namespace thresher::tokenizer
