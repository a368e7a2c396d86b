// Tokens of the headers: what each says, in the way its kind deserves, and that it is there at all.
//
// Called by the tokenizer. Families are listed in docs/tokens.md. Thread-safety: serves one thread.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "tokenizer/address_tokens.h"
#include "tokenizer/charset.h"
#include "tokenizer/feature_builder.h"
#include "tokenizer/message_head.h"
#include "tokenizer/received_tokens.h"
#include "tokenizer/word_tokens.h"

namespace thresher::tokenizer {

class HeaderTokens {
 public:
  // `pairs`: pairs of the subject's words, too.
  HeaderTokens(bool pairs, CharsetConverter* charset, WordTokens* words, FeatureBuilder* builder);

  // The tokens of the head of `message`, of which `limit` bytes are read.
  void Add(std::string_view message, size_t limit);

 private:
  void AddField(std::string_view name, std::string_view value);
  void AddSubject(std::string_view value);
  void AddAddresses(std::string_view name, std::string_view value);
  void AddMessageId(std::string_view value);
  void AddDate(std::string_view value);
  void AddMailer(std::string_view value);
  void AddContentType(std::string_view value);
  void AddCount(std::string_view name, std::string_view value);
  void AddOther(std::string_view name, std::string_view value);
  void AddRelations();

  bool pairs_;
  CharsetConverter* charset_;
  WordTokens* words_;
  FeatureBuilder* builder_;
  AddressTokens addresses_;
  ReceivedTokens received_;
  // Of the message at hand.
  size_t received_count_ = 0;
  std::string from_domain_, reply_domain_, id_domain_;
  std::string name_, last_name_, prefix_, scratch_;
};

}  // namespace thresher::tokenizer
