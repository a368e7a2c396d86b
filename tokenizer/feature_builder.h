// Collects the features of one message: each once, in order of first occurrence, with its text and its value.
//
// Written to by everything in this folder that makes tokens. Reused from message to message, so that a token
// costs no allocation. Thread-safety: serves one thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string_view>
#include <vector>

#include "tokenizer/distinct_index.h"
#include "tokenizer/features.h"
#include "tokenizer/id_space.h"
#include "tokenizer/options.h"

namespace thresher::tokenizer {

class FeatureBuilder {
 public:
  // A longer token is cut to this many bytes, at a character.
  static constexpr size_t kMaxText = 128;

  // `limit`: distinct features per message; what comes after them marks the message as truncated.
  FeatureBuilder(uint64_t seed, size_t limit);

  // Begins a message. `out` is filled until Finish().
  void Start(Features* out);

  // A token whose text is the pieces, joined.
  template <typename... Pieces>
  void Add(const Pieces&... pieces) {
    char* const begin = RoomForText((std::string_view(pieces).size() + ...));
    char* end = begin;
    ((end = Append(end, pieces)), ...);
    AddText({begin, static_cast<size_t>(end - begin)});
  }

  // These n-grams, which must be distinct and none of which was added before, each with its number of
  // occurrences. Four bytes each, the first in the most significant place.
  void AddNgrams(std::span<const uint32_t> ngrams, std::span<const uint32_t> counts);

  void SetTruncated() { out_->truncated = true; }
  void Finish(ValueScheme scheme);

 private:
  static char* Append(char* to, std::string_view piece) {
    if (!piece.empty()) std::memcpy(to, piece.data(), piece.size());
    return to + piece.size();
  }
  // Where the next text may be written.
  char* RoomForText(size_t size) {
    if (texts_size_ + size > texts_.size()) texts_.resize(2 * (texts_size_ + size));
    return texts_.data() + texts_size_;
  }
  // `text` stands at RoomForText().
  void AddText(std::string_view text);

  IdSpace ids_;
  size_t limit_;
  DistinctIndex<uint64_t> tokens_;
  std::vector<uint32_t> counts_;  // occurrences of feature i
  std::vector<char> texts_;
  size_t texts_size_ = 0;
  Features* out_ = nullptr;
};

}  // namespace thresher::tokenizer
