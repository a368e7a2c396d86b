// The tokens of a message as texts, for tests to look at.
#pragma once

#include <set>
#include <string>
#include <string_view>

#include "tokenizer/id_space.h"
#include "tokenizer/tokenizer.h"

namespace thresher::tokenizer {

inline std::set<std::string> TokenTexts(std::string_view message, const Options& options,
                                        Kind kind = Kind::kMail) {
  Features features;
  Tokenizer(options, 1).Tokenize(message, kind, &features);
  std::set<std::string> texts;
  for (size_t i = 0; i < features.size(); ++i) {
    if (!IdSpace::IsNgram(features.ids[i])) texts.emplace(features.Text(i));
  }
  return texts;
}

// No family of tokens.
inline Options NoTokens() {
  Options options;
  options.raw_ngrams = options.headers = options.body_words = options.html_structure = false;
  options.urls = options.attachments = options.word_pairs = false;
  return options;
}

}  // namespace thresher::tokenizer
