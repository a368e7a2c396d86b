// Tokens of the headers: one for the presence of each header, and others from its value, by kind of header.
//
// Called by the tokenizer. docs/tokens.md lists the tokens. Thread-safety: serves one thread.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "tokenizer/address_tokens.h"
#include "tokenizer/charset.h"
#include "tokenizer/disguise_tokens.h"
#include "tokenizer/feature_builder.h"
#include "tokenizer/mail_address.h"
#include "tokenizer/message_head.h"
#include "tokenizer/options.h"
#include "tokenizer/received_tokens.h"
#include "tokenizer/word_tokens.h"

namespace thresher::tokenizer {

class HeaderTokens {
 public:
  // `options` must outlive this.
  HeaderTokens(const Options* options, CharsetConverter* charset, WordTokens* words, FeatureBuilder* builder);

  // Adds the tokens of all fields.
  void Add(const MessageHead& head, const Senders& senders);

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

  const Options* options_;
  CharsetConverter* charset_;
  WordTokens* words_;
  FeatureBuilder* builder_;
  AddressTokens addresses_;
  DisguiseTokens disguises_;
  ReceivedTokens received_;
  // Of the current message.
  size_t received_count_ = 0;
  bool has_subject_ = false;
  std::string from_domain_, reply_domain_, id_domain_;
  std::string name_, last_name_, prefix_, scratch_;
};

}  // namespace thresher::tokenizer
