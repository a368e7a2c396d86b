// The texts of the tokens of a message, and Options without any family, for tests.
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

// Options with every family of tokens switched off.
inline Options NoTokens() {
  Options options;
  for (const TokenFamily& family : kTokenFamilies) options.*family.enabled = false;
  return options;
}

}  // namespace thresher::tokenizer
