// Byte 4-grams. They show patterns (of mail programs, boundaries, encodings, addresses) that no other family
// describes.
//
// Called by the tokenizer with the start of what a sender wrote (ngram_text.h), or of the raw message.
// Thread-safety: serves one thread.
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

  // Adds every four neighbouring bytes of `bytes`.
  void Add(std::string_view bytes, FeatureBuilder* builder);

 private:
  DistinctIndex<uint32_t> index_;
  // Of the current message, in order of first occurrence.
  std::vector<uint32_t> ngrams_;
  std::vector<uint32_t> counts_;
};

}  // namespace thresher::tokenizer
