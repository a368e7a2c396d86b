// Tokens of address headers: addresses, their domains, and the display names beside them.
//
// Called by the header tokens with From, To, Cc, Reply-To, Sender, Return-Path and Errors-To. Accepts any
// text: what is no address counts as a name. Thread-safety: serves one thread.
#pragma once

#include <string>
#include <string_view>

#include "tokenizer/feature_builder.h"
#include "tokenizer/word_tokens.h"

namespace thresher::tokenizer {

class AddressTokens {
 public:
  AddressTokens(WordTokens* words, FeatureBuilder* builder) : words_(words), builder_(builder) {}

  // Adds, for the field "from": "from:addr:joe@example.com", "from:domain:example.com", "from:name:joe" and
  // "from:count:1". `utf8` is the decoded value.
  void Add(std::string_view field, std::string_view utf8);

 private:
  bool AddFirst(std::string_view field, std::string_view text);

  WordTokens* words_;
  FeatureBuilder* builder_;
  std::string lower_, names_, prefix_;
};

}  // namespace thresher::tokenizer
