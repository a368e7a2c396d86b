// Byte 4-grams of raw bytes: what they show (mailers, boundaries, encodings, addresses) nobody can name
// beforehand, and no decoding can be fooled.
//
// Called by the tokenizer with the first bytes of a message. Thread-safety: serves one thread.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "tokenizer/distinct_index.h"
#include "tokenizer/feature_builder.h"

namespace thresher::tokenizer {

class Ngrams {
 public:
  // `secret`: see DistinctIndex.
  explicit Ngrams(uint64_t secret) : index_(secret) {}

  // Every four neighbouring bytes of `bytes`.
  void Add(std::string_view bytes, FeatureBuilder* builder);

 private:
  DistinctIndex<uint32_t> index_;
  // Of the message at hand, in order of first occurrence.
  std::vector<uint32_t> ngrams_;
  std::vector<uint32_t> counts_;
};

}  // namespace thresher::tokenizer
