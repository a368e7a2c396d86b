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
  // `disguises`: whether a control character between two letters gives "disguise:" + FIELD + "control", which
  // only the splitter finds without reading all text again.
  WordTokens(FeatureBuilder* builder, bool disguises) : builder_(builder), disguises_(disguises) {}

  // Adds FIELD + word for every word of `utf8`, such as "body:free". REQUIRES: `field` ends with a colon.
  // Returns their number.
  size_t Add(std::string_view field, std::string_view utf8);
  // The same; after each word but the first also "pair:" + FIELD + the word before it + ' ' + the word.
  size_t AddWithPairs(std::string_view field, std::string_view utf8);

 private:
  size_t AddWords(std::string_view field, std::string_view utf8, bool pairs);

  FeatureBuilder* builder_;
  bool disguises_;
  WordSplitter splitter_;
};

}  // namespace thresher::tokenizer
