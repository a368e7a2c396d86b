// Collects the features of one message: each once, in order of first occurrence, with its text and its value.
//
// Called by everything in tokenizer/ that makes tokens. Reused from message to message, so that a token needs
// no allocation. Thread-safety: serves one thread.
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
  // A longer token is cut at a character boundary to at most this many bytes.
  static constexpr size_t kMaxText = 128;

  // `limit`: distinct features per message. Further features are dropped and mark the message as truncated.
  FeatureBuilder(uint64_t seed, size_t limit);

  // Begins a message. *out is valid after Finish().
  void Start(Features* out);

  // Adds a token whose text is the pieces, joined.
  template <typename... Pieces>
  void Add(const Pieces&... pieces) {
    char* const begin = RoomForText((std::string_view(pieces).size() + ...));
    char* end = begin;
    ((end = Append(end, pieces)), ...);
    AddText({begin, static_cast<size_t>(end - begin)});
  }

  // Adds byte n-grams, each with its number of occurrences. REQUIRES: they are distinct, and none was added
  // before. An n-gram is its four bytes, the first one most significant.
  void AddNgrams(std::span<const uint32_t> ngrams, std::span<const uint32_t> counts);

  void SetTruncated() { out_->truncated = true; }
  void Finish(ValueScheme scheme);

 private:
  static char* Append(char* to, std::string_view piece) {
    if (!piece.empty()) std::memcpy(to, piece.data(), piece.size());
    return to + piece.size();
  }
  // Where the next text is written; has room for `size` bytes.
  char* RoomForText(size_t size) {
    if (texts_size_ + size > texts_.size()) texts_.resize(2 * (texts_size_ + size));
    return texts_.data() + texts_size_;
  }
  // REQUIRES: `text` is at the address that RoomForText() returned.
  void AddText(std::string_view text);

  IdSpace ids_;
  size_t limit_;
  DistinctIndex<uint64_t> tokens_;
  std::vector<uint32_t> counts_;  // number of occurrences of feature i
  std::vector<char> texts_;
  size_t texts_size_ = 0;
  Features* out_ = nullptr;
};

}  // namespace thresher::tokenizer
