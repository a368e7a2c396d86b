// Tokens of how the addresses of a message fit together, and of whether it is what its subject says: a reply.
//
// Called by the tokenizer. docs/tokens.md lists the tokens. Thread-safety: serves one thread.
#pragma once

#include <string>
#include <string_view>

#include "tokenizer/charset.h"
#include "tokenizer/feature_builder.h"
#include "tokenizer/mail_address.h"
#include "tokenizer/message_head.h"

namespace thresher::tokenizer {

class CorrespondenceTokens {
 public:
  CorrespondenceTokens(CharsetConverter* charset, FeatureBuilder* builder)
      : charset_(charset), builder_(builder) {}

  void Add(const MessageHead& head, const Senders& senders);

 private:
  void AddFrom(std::string_view value);
  void AddSubject(std::string_view value, bool answers);

  CharsetConverter* charset_;
  FeatureBuilder* builder_;
  std::string from_, to_;
};

}  // namespace thresher::tokenizer
