// Who a message claims to be from and to: addresses, their domains, and the names beside them.
//
// Called by the header tokens with From, To, Cc, Reply-To, Sender, Return-Path. Total: what is no address is
// name. Thread-safety: serves one thread.
#pragma once

#include <string>
#include <string_view>

#include "tokenizer/feature_builder.h"
#include "tokenizer/word_tokens.h"

namespace thresher::tokenizer {

class AddressTokens {
 public:
  AddressTokens(WordTokens* words, FeatureBuilder* builder) : words_(words), builder_(builder) {}

  // For the field "from": "from:addr:joe@example.com", "from:domain:example.com", "from:name:joe",
  // "from:count:1". `utf8`: the decoded value. Gives the first address's domain, which holds until the next
  // call.
  std::string_view Add(std::string_view field, std::string_view utf8);

 private:
  WordTokens* words_;
  FeatureBuilder* builder_;
  std::string lower_, names_, prefix_, domain_;
};

}  // namespace thresher::tokenizer
