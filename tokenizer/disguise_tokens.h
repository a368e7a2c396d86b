// Tokens of characters that a reader does not see or takes for others: zero-width and bidirectional controls,
// and letters of other scripts that look like Latin ones.
//
// Called by the tokenizer for subjects, names and bodies. docs/tokens.md lists the tokens. Thread-safety:
// serves one thread.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "tokenizer/feature_builder.h"

namespace thresher::tokenizer {

class DisguiseTokens {
 public:
  explicit DisguiseTokens(FeatureBuilder* builder);
  ~DisguiseTokens();

  // The tokens of one text; `field` names it ("subject:").
  void Add(std::string_view field, std::string_view utf8);
  // What a host with letters that are not ASCII, or in punycode, looks like; none if it looks like itself.
  void AddHost(std::string_view host);

 private:
  class Icu;
  void AddWord(std::string_view field, std::string_view word);

  FeatureBuilder* builder_;
  std::unique_ptr<Icu> icu_;
};

}  // namespace thresher::tokenizer
