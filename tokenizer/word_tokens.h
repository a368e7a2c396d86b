// Tokens of the words of a text, and of pairs of neighbouring words.
//
// Used for all text that people read: subject, display names, bodies. Thread-safety: serves one thread.
#pragma once

#include <cstddef>
#include <string_view>

#include "tokenizer/feature_builder.h"
#include "tokenizer/words.h"

namespace thresher::tokenizer {

class WordTokens {
 public:
  explicit WordTokens(FeatureBuilder* builder) : builder_(builder) {}

  // Adds FIELD + word for every word of `utf8`, such as "body:free". REQUIRES: `field` ends with a colon.
  // Returns their number.
  size_t Add(std::string_view field, std::string_view utf8);
  // The same; after each word but the first also "pair:" + FIELD + the word before it + ' ' + the word.
  size_t AddWithPairs(std::string_view field, std::string_view utf8);

 private:
  FeatureBuilder* builder_;
  WordSplitter splitter_;
};

}  // namespace thresher::tokenizer
