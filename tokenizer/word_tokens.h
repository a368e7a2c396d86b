// Words of a text as tokens, and pairs of neighbouring words.
//
// Used for everything people read: subject, display names, bodies. Thread-safety: serves one thread.
#pragma once

#include <string_view>

#include "tokenizer/feature_builder.h"
#include "tokenizer/words.h"

namespace thresher::tokenizer {

class WordTokens {
 public:
  explicit WordTokens(FeatureBuilder* builder) : builder_(builder) {}

  // FIELD + word for every word of `utf8`, e.g. "body:free". REQUIRES: `field` ends in a colon.
  void Add(std::string_view field, std::string_view utf8);
  // The same, each word followed by "pair:" + FIELD + the word before it + ' ' + the word.
  void AddWithPairs(std::string_view field, std::string_view utf8);

 private:
  FeatureBuilder* builder_;
  WordSplitter splitter_;
};

}  // namespace thresher::tokenizer
