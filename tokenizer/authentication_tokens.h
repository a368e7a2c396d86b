// Tokens of what servers found out about the sender: the results of SPF, DKIM, DMARC and ARC, who signed, and
// whether those domains are the sender's; and of the headers that mailing lists and newsletters set.
//
// Called by the tokenizer. docs/tokens.md lists the tokens. Thread-safety: serves one thread.
#pragma once

#include <string>
#include <string_view>

#include "tokenizer/feature_builder.h"
#include "tokenizer/mail_address.h"
#include "tokenizer/message_head.h"

namespace thresher::tokenizer {

class AuthenticationTokens {
 public:
  explicit AuthenticationTokens(FeatureBuilder* builder) : builder_(builder) {}

  void Add(const MessageHead& head, const Senders& senders);

 private:
  void AddResults(std::string_view field, std::string_view value);
  void AddSignature(std::string_view value);
  void AddUnsubscribe(std::string_view value);
  void AddValue(std::string_view field, std::string_view value);  // unless it is empty
  void AddAlignment(std::string_view field, std::string_view domain);

  FeatureBuilder* builder_;
  std::string from_;  // domain of the sender
  std::string lower_;
  std::string lower_field_;
};

}  // namespace thresher::tokenizer
