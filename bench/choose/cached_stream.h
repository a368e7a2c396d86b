// The messages of a stream as their features, in memory and in a file: tokenised once, learned many times.
//
// Used by the choice of defaults. Thread-safety: immutable once read.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "bench/choose/memory_model.h"
#include "tokenizer/options.h"
#include "tokenizer/tokenizer.h"

namespace thresher::bench {

class CachedStream {
 public:
  // Tokenises the first `most` messages of a TREC index. Ends the program if one cannot be read.
  static CachedStream Tokenised(const std::string& index, tokenizer::Kind kind, size_t most);
  static CachedStream Read(const std::string& path);
  // Another file or none is at `path` until all is written.
  void Write(const std::string& path) const;

  size_t size() const { return spam_.size(); }
  bool IsSpam(size_t message) const { return spam_[message] != 0; }
  Message At(size_t message) const;
  // Distinct features: indices are below it.
  size_t width() const { return width_; }

  // Moves each value of a message to one of its neighbours, or leaves it; which is drawn from `seed`. Equal
  // values stay equal. A model learns from it what it learns from the same mail in another build: the same,
  // up to the last bits.
  void MoveLastBits(uint64_t seed);

 private:
  uint64_t width_ = 0;
  std::vector<uint8_t> spam_;
  std::vector<uint64_t> ends_;   // of each message's features in the last two
  std::vector<uint32_t> bytes_;  // RehearsedBytes of each message
  std::vector<uint32_t> indices_;
  std::vector<float> values_;
};

}  // namespace thresher::bench
